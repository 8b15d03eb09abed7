import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ChartLook } from '#domain/chart/chartLook.ts';
import { paperLook } from '#domain/chart/chartLook.ts';

/** The width of the text on an A4 page, in px. */
const PAPER_WIDTH = 660;
const SCREEN_FONT = 'system-ui, -apple-system, "PingFang SC", "Microsoft YaHei", "Noto Sans SC", sans-serif';

/** The colours of the screen, the same as in `src/ui/theme/theme.css`. */
export const screenLook = (width: number, scheme: 'light' | 'dark'): ChartLook => ({
  ...paperLook(width, SCREEN_FONT),
  ...(scheme === 'dark' && { ink: '#e4eae7', inkSoft: '#a5b0ab', line: '#303936', surface: '#1b211f', brand: '#7ccba0' }),
});

/** Returns the look of a picture of this width. It follows the theme; paper has its own width and colours. */
export function useChartLook(width: number): ChartLook {
  const scheme = useComputedColorScheme('light');
  const [isPrinting, setIsPrinting] = useState(false);
  useEffect(() => {
    const print = window.matchMedia('print');
    // The browser lays the page out as soon as the listeners return.
    const follow = () => flushSync(() => setIsPrinting(print.matches));
    print.addEventListener('change', follow);
    return () => print.removeEventListener('change', follow);
  }, []);
  return useMemo(
    () => (isPrinting ? paperLook(Math.min(width, PAPER_WIDTH), SCREEN_FONT) : screenLook(width, scheme)),
    [width, scheme, isPrinting],
  );
}
