export const dynamic = 'force-dynamic';

export async function GET() {
  await new Promise((resolve) => setTimeout(resolve, 700));
  return Response.json(['Cedar, 21 m', 'Elm, 9 m']);
}
