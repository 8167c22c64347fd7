// The server sends its answer in parts, and a script puts each part where its fallback is.
import { Suspense } from 'react';

export const dynamic = 'force-dynamic';

async function Late({ wait, title }) {
  await new Promise((resolve) => setTimeout(resolve, wait));
  return <section><h2>{title}</h2><p>{title} has come from the server, after the rest of the page.</p></section>;
}

export default function Page() {
  return <main>
    <h1>Streams of the harbour</h1>
    <Suspense fallback={<p>Fallback 1</p>}><Late wait={300} title="The tide table"/></Suspense>
    <Suspense fallback={<p>Fallback 2</p>}>
      <Late wait={2000} title="The weather report"/>
      <Suspense fallback={<p>Fallback 3</p>}><Late wait={2800} title="The forecast"/></Suspense>
    </Suspense>
  </main>;
}
