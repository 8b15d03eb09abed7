/** The names of the buttons of a pagination, for screen readers. */
export const pageLabels = {
  getControlProps: (control: 'previous' | 'next' | 'first' | 'last') => ({
    'aria-label': { previous: '上一页', next: '下一页', first: '第一页', last: '最后一页' }[control],
  }),
  getItemProps: (at: number) => ({ 'aria-label': `第 ${at} 页` }),
};
