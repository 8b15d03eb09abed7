import { createTheme, defaultVariantColorsResolver, type MantineColorsTuple, type VariantColorsResolver } from '@mantine/core';

/** Shade 5 is the product's colour #43a777. Text and solid buttons use 7 (5.24:1 on white), because 5 has only 2.99:1. */
const brand: MantineColorsTuple = [
  '#eff8f3',
  '#dff1e7',
  '#bfe3cf',
  '#97d1b1',
  '#6cbd92',
  '#43a777',
  '#358e63',
  '#2b7a52',
  '#226242',
  '#174530',
];
const gray: MantineColorsTuple = [
  '#f7f8f8',
  '#f0f2f1',
  '#e6e9e8',
  '#d9dedc',
  '#c3cac7',
  '#9aa4a0',
  '#69746f',
  '#4a5450',
  '#343c39',
  '#1f2624',
];
const dark: MantineColorsTuple = [
  '#dfe5e2',
  '#b9c2be',
  '#99a39f',
  '#66716c',
  '#3c4542',
  '#2e3633',
  '#232a28',
  '#1b211f',
  '#151a18',
  '#0f1312',
];

/** Chinese system fonts by platform. The page loads no font, so text appears at once. */
const fontFamily =
  'system-ui, -apple-system, "Segoe UI", "PingFang SC", "HarmonyOS Sans SC", "Microsoft YaHei UI", "Microsoft ' +
  'YaHei", "Noto Sans CJK SC", "Noto Sans SC", sans-serif';

/** Readable colours for the text of quiet controls: the kit's own shades are too light on white or too dark on black. */
const colours: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  const name = input.color ?? 'brand';
  const quiet = input.variant === 'subtle' || input.variant === 'light' || input.variant === 'transparent';
  // Under the pointer the ground is darker, so the text is darker too.
  const ground = input.variant === 'light' ? { background: 'var(--tint)', hoverColor: 'var(--ink)' } : {};
  if (quiet && name === 'brand')
    return { ...colors, ...ground, color: input.variant === 'light' ? 'var(--ink-tint)' : 'var(--ink-brand)' };
  if (quiet && name === 'red') return { ...colors, color: 'var(--mantine-color-error)' };
  if (input.variant === 'filled' && name === 'red')
    return { ...colors, background: 'var(--mantine-color-red-9)', hover: '#a51d2d' };
  return colors;
};

/** Chinese for calendars. The provider of @mantine/dates would add its whole package to the first page. */
const calendar = {
  locale: 'zh-cn',
  firstDayOfWeek: 1 as const,
  weekendDays: [0, 6] as [0, 6],
  monthLabelFormat: 'YYYY年M月',
  yearLabelFormat: 'YYYY年',
  decadeLabelFormat: 'YYYY年',
  ariaLabels: {
    previousMonth: '上个月',
    nextMonth: '下个月',
    previousYear: '上一年',
    nextYear: '下一年',
    previousDecade: '上十年',
    nextDecade: '下十年',
    monthLevelControl: '选择月份',
    yearLevelControl: '选择年份',
  },
};

/** Lists that open: the first match of a search is highlighted, so Enter chooses it. */
const lists = {
  nothingFoundMessage: '没有匹配的选项',
  clearButtonProps: { 'aria-label': '清空' },
  selectFirstOptionOnChange: true,
};

export const theme = createTheme({
  variantColorResolver: colours,
  primaryColor: 'brand',
  primaryShade: 7,
  colors: { brand, gray, dark },
  fontFamily,
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Noto Sans Mono CJK SC", monospace',
  headings: { fontFamily, fontWeight: '600' },
  defaultRadius: 'md',
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '20px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'sm' }, styles: { root: { fontWeight: 500 } } },
    InputWrapper: { styles: { label: { fontSize: 13, fontWeight: 400, color: 'var(--ink-2)', marginBottom: 4 } } },
    Modal: {
      styles: { title: { fontWeight: 600, lineHeight: 1.4, overflowWrap: 'anywhere' } },
      defaultProps: { centered: true, overlayProps: { backgroundOpacity: 0.4 }, closeButtonProps: { 'aria-label': '关闭' } },
    },
    Drawer: {
      styles: { title: { fontWeight: 600, lineHeight: 1.4, overflowWrap: 'anywhere' } },
      defaultProps: { position: 'right', overlayProps: { backgroundOpacity: 0.35 }, closeButtonProps: { 'aria-label': '关闭' } },
    },
    Tooltip: { defaultProps: { openDelay: 250, multiline: true, maw: 320, events: { hover: true, focus: true, touch: true } } },
    Select: { defaultProps: lists },
    MultiSelect: { defaultProps: lists },
    TagsInput: { defaultProps: { clearButtonProps: { 'aria-label': '清空' } } },
    // A number that is out of range stays as it was typed, and the form refuses it in words.
    NumberInput: { defaultProps: { clampBehavior: 'none' } },
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    DatePickerInput: { defaultProps: { ...calendar, valueFormat: 'YYYY-MM-DD', clearButtonProps: { 'aria-label': '清空' } } },
    DateInput: { defaultProps: { ...calendar, valueFormat: 'YYYY-MM-DD', clearButtonProps: { 'aria-label': '清空' } } },
    DateTimePicker: { defaultProps: { ...calendar, valueFormat: 'YYYY-MM-DD HH:mm' } },
    PasswordInput: { defaultProps: { visibilityToggleButtonProps: { 'aria-label': '显示或隐藏密码' } } },
  },
});
