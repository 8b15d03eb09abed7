const ATTRIBUTE = 'data-mantine-color-scheme';

/** Prints every page in light colours, whichever scheme its reader has chosen. */
export function printInLight() {
  const print = window.matchMedia('print');
  let scheme: string | null = null;
  print.addEventListener('change', () => {
    const root = document.documentElement;
    if (print.matches) {
      scheme = root.getAttribute(ATTRIBUTE);
      root.setAttribute(ATTRIBUTE, 'light');
    } else if (scheme) root.setAttribute(ATTRIBUTE, scheme);
  });
}
