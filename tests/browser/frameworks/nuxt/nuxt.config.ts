export default defineNuxtConfig({
  telemetry: false, future: { compatibilityVersion: 4 }, compatibilityDate: '2025-01-01', routeRules: { '/alone': { ssr: false } },
});
