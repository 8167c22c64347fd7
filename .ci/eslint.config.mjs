// What the linter knows about the scripts that run in pages (webtool/browser/scripts).
const names = 'CSS CSSAnimation CSSTransition Document Element HTMLAnchorElement HTMLButtonElement HTMLElement'
  + ' HTMLInputElement HTMLTextAreaElement DocumentFragment HTMLOptionElement MutationObserver Node NodeFilter'
  + ' OffscreenCanvas Range SVGElement ShadowRoot Text TextEncoder document getComputedStyle globalThis'
  + ' innerHeight innerWidth location performance requestAnimationFrame scrollBy scrollTo scrollX scrollY'
  + ' setTimeout window Navigator MOST';

export default [{
  files: ['webtool/**/*.js'],
  languageOptions: {
    ecmaVersion: 2022,
    sourceType: 'script',
    globals: Object.fromEntries(names.split(' ').map((name) => [name, 'readonly'])),
  },
  rules: {
    'eqeqeq': 'error', 'no-undef': 'error', 'no-redeclare': 'error', 'no-unreachable': 'error',
    'no-dupe-keys': 'error', 'no-fallthrough': 'error', 'no-self-assign': 'error', 'no-const-assign': 'error',
    'prefer-const': ['error', {destructuring: 'all'}], 'no-var': 'error', 'no-shadow-restricted-names': 'error',
    'no-unused-vars': ['error', {caughtErrors: 'none', varsIgnorePattern: '^note$'}],
  },
}];
