export default defineEventHandler(async () => {
  await new Promise((resolve) => setTimeout(resolve, 700));
  return ['Cedar, 21 m', 'Elm, 9 m'];
});
