// Sets the colour theme before the first paint, so that nothing flashes. A file of its own because the
// content security policy allows no inline script. web/src/lib/theme.ts takes over from here.
(() => {
  let choice = null;
  try {
    choice = localStorage.getItem('sigma.theme');
  } catch {
    // Storage may be forbidden; then the system decides.
  }
  const dark =
    choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', dark ? '#0b1214' : '#fafcfc');
})();
