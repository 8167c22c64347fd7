export const metadata = { title: 'Harbour' };

export default function Layout({ children }) {
  return <html lang="en"><body><nav><a href="/">Home</a></nav>{children}</body></html>;
}
