import { SegmentedControl } from '@mantine/core';
import { pathOf } from '#contract/menu.ts';
import { useNavigate } from '#ui/router/router.tsx';

/** The path of 报告模板, the second tab of 方案库. */
export const TEMPLATES_PATH = '/evaluating/reportTemplates';

/** The tabs of 方案库: plans, and the templates of their custom reports. */
export function LibraryTabs({ value }: { value: 'plans' | 'templates' }) {
  const navigate = useNavigate();
  return (
    <SegmentedControl
      aria-label="方案库"
      value={value}
      onChange={(next) => navigate(next === 'plans' ? pathOf('plans.library') : TEMPLATES_PATH)}
      data={[
        { value: 'plans', label: '方案' },
        { value: 'templates', label: '报告模板' },
      ]}
    />
  );
}
