/**
 * Sets the root font size to viewport width / 24 (specification section 9). The kit gets the inverse factor and keeps its own size;
 * only plain rem values scale. The reader's base font size counts: with 20 px the kit grows by 20/16.
 */
export function scaleRoot(): void {
  const root = document.documentElement;
  root.style.fontSize = '';
  const wantedCount = Number.parseFloat(getComputedStyle(root).fontSize) || 16;
  const apply = () => {
    const size = window.innerWidth / 24;
    root.style.fontSize = `${size}px`;
    root.style.setProperty('--mantine-scale', String(wantedCount / size));
  };
  apply();
  window.addEventListener('resize', apply);
}
