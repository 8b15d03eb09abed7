/**
 * Root font size is viewport width / 24 (specification section 9). The kit is told the opposite factor, so that it keeps its own
 * size and only what is written in bare rem scales. The reader's own base size is respected: with 20 px the kit grows by 20/16.
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
