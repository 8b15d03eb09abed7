/** The colours of the levels 0–4, as the theme has them. */
export const LEVEL_COLOURS = ['var(--level-0)', 'var(--level-1)', 'var(--level-2)', 'var(--level-3)', 'var(--level-4)'] as const;
