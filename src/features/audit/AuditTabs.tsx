import { SegmentedControl } from '@mantine/core';
import { pathOf } from '#contract/menu.ts';
import { useNavigate } from '#ui/router/router.tsx';

/** The address of the login log. */
export const loginLogPath = '/authority/loginLog';

/** Switches between the two logs of an institution. */
export function AuditTabs({ open }: { open: 'audit' | 'login' }) {
  const go = useNavigate();
  return (
    <SegmentedControl
      aria-label="日志"
      value={open}
      onChange={(log) => void go(log === 'audit' ? pathOf('authority.audit') : loginLogPath)}
      data={[
        { value: 'audit', label: '操作日志' },
        { value: 'login', label: '登录日志' },
      ]}
    />
  );
}
