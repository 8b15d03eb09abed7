import { SegmentedControl } from '@mantine/core';
import { pathOf } from '#contract/menu.ts';
import { useUser } from '#ui/api/session.ts';
import { useNavigate } from '#ui/router/router.tsx';

/** The address of the login log. */
export const loginLogPath = '/authority/loginLog';

/** The address of 数据保存期限. */
export const retentionPath = '/authority/retention';

/** Switches between the two logs of an institution and the terms of its records, which only schools and hospitals have. */
export function AuditTabs({ open }: { open: 'audit' | 'login' | 'retention' }) {
  const go = useNavigate();
  const { musertype } = useUser();
  const paths = { audit: pathOf('authority.audit'), login: loginLogPath, retention: retentionPath };
  return (
    <SegmentedControl
      aria-label="日志"
      value={open}
      onChange={(log) => void go(paths[log as keyof typeof paths])}
      data={[
        { value: 'audit', label: '操作日志' },
        { value: 'login', label: '登录日志' },
        ...(musertype === '004' || musertype === '005' ? [{ value: 'retention', label: '数据保存期限' }] : []),
      ]}
    />
  );
}
