import { InstitutionFilter } from '#blocks/institution/InstitutionFilter.tsx';
import { DateRangeFilter } from '#ui/dates/DateRangeFilter.tsx';
import { can, useUser } from '#ui/api/session.ts';
import { EmptyState } from '#ui/feedback/states.tsx';
import { columnsOf } from '#ui/list/columns.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { SelectFilter, TextFilter } from '#ui/list/filters.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { useList } from '#ui/list/useList.ts';
import { SignInBadge } from '#features/audit/login/SignInBadge.tsx';
import { AuditTabs } from '#blocks/audit/AuditTabs.tsx';
import { getLoginPageList } from '#features/audit/login/login.contract.ts';
import { getMUserPageList } from '#features/muser/muser.contract.ts';

const column = columnsOf(getLoginPageList);
const columns = [
  column('time', '时间', (time) => <span style={{ whiteSpace: 'nowrap' }}>{time}</span>, { width: 170 }),
  column('realname', '姓名', { width: 140 }),
  column('loginname', '登录账号', { width: 140 }),
  column.of('ok', '结果', (row) => <SignInBadge login={row} />, { width: 190 }),
  column('device', '设备', { width: 150 }),
  column.of('ip', '地址', (row) => [row.ip, row.place].filter(Boolean).join(' · ') || '—'),
];

/** 登录日志: the sign-ins of an institution's accounts, also those that failed. */
export default function LoginListPage() {
  const { musertype } = useUser();
  const list = useList(getLoginPageList);
  return (
    <ListPage
      list={list}
      filters={
        <>
          <TextFilter name="keyword" label="姓名/账号" />
          {(musertype === '001' || musertype === '002') && can(getMUserPageList) && <InstitutionFilter without="本机构" />}
          <SelectFilter
            name="result"
            label="结果"
            options={[
              { value: '1', label: '成功' },
              { value: '0', label: '未成功' },
            ]}
          />
          <DateRangeFilter from="begindate" to="enddate" label="日期" />
        </>
      }
      lead={<AuditTabs open="login" />}
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="id"
        label="登录日志"
        {...(Object.keys(list.filters).length === 0
          ? { empty: <EmptyState title="还没有登录记录" hint="本机构账号的每次登录都会记录在这里，包括没有成功的" /> }
          : {})}
      />
    </ListPage>
  );
}
