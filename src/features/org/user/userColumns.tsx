import { pathOf } from '#contract/menu.ts';
import { Enabled, YesNo } from '#domain/base/enums.ts';
import { hasPermission } from '#ui/api/session.ts';
import { Badge, EnumBadge } from '#ui/display/badges.tsx';
import { RelativeTime } from '#ui/display/RelativeTime.tsx';
import { columnsOf } from '#ui/list/columns.ts';
import { Link } from '#ui/router/router.tsx';
import { selectUserList, type UserRow } from '#features/org/user/user.contract.ts';

const column = columnsOf(selectUserList);
const STATES = { active: undefined, waiting: ['待首次登录', 'amber'], lapsed: ['初始密码已用或过期', 'gray'] } as const;

/** The state of a user as a badge: away, waiting for the first sign-in, enabled or disabled. */
export function UserState({ row }: { row: UserRow }) {
  const state = STATES[row.state];
  if (row.enabled && row.absentuntil) return <Badge tone="amber">{`外出至 ${row.absentuntil.slice(5)}`}</Badge>;
  return row.enabled && state ? (
    <Badge tone={state[1]}>{state[0]}</Badge>
  ) : (
    <EnumBadge of={Enabled} code={row.enabled} tones={{ 1: 'green', 0: 'gray' }} />
  );
}

/** The columns of a list of users. A list of many institutions names the institution of each user. */
export const userColumns = (isAll: boolean) => [
  column('realname', '姓名', { width: 96, sort: true }),
  column('sysusername', '登录账号', { width: isAll ? 140 : 112, sort: true }),
  ...(isAll ? [column('insname', '机构', { width: 180 })] : []),
  column('deptname', '部门', { width: 110, sort: true }),
  column('rolenames', '角色'),
  column.of('enabled', '状态', (row) => <UserState row={row} />, { width: 100 }),
  column('secondfactor', '二次验证', (on) => (on ? '已启用' : '未启用'), { hidden: true }),
  column('isshared', '共用账号', YesNo.label, { hidden: true, hint: '多人共用，可查看；不能作责任人，不能复核' }),
  column('duty', '接收预警', YesNo.label, { width: 84, hidden: isAll, hint: '接收本机构的危机预警提醒' }),
  column(
    'opencases',
    '在办预警',
    (count, row) =>
      count && hasPermission('warning.crisis') ? (
        <Link to={`${pathOf('warning.crisis')}?owneruserid=${row.userid}`} aria-label={`${row.realname}的 ${count} 个在办预警`}>
          {count}
        </Link>
      ) : (
        count
      ),
    { width: 80, align: 'right' },
  ),
  column('lastlogintime', '最近登录', (time) => (time ? <RelativeTime at={time} /> : '—'), { width: 104 }),
  column('post', '职务', { hidden: true }),
  column('phonenumber', '联系电话', { hidden: true }),
  column('titles', '资质', { hidden: true }),
  column('email', '邮箱', { hidden: true }),
  column('remark', '备注', { hidden: true }),
  column('createtime', '创建时间', { hidden: true, sort: true }),
];
