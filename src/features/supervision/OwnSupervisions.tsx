import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { SupervisionState } from '#domain/supervision/supervision.ts';
import { formatNumber } from '#domain/base/number.ts';
import { useUser } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { stamp } from '#ui/display/RelativeTime.tsx';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { LongTextField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { columnsOf } from '#ui/list/columns.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { EnumFilter } from '#ui/list/filters.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { useList } from '#ui/list/useList.ts';
import { Link } from '#ui/router/router.tsx';
import { TermFilter } from '#blocks/statistics/TermFilter.tsx';
import { getOwnSupervision, getOwnSupervisionPageList, replySupervision } from '#features/supervision/supervision.contract.ts';
import {
  recentTerms,
  SupervisionBadge,
  SupervisionDrawer,
  SupervisionView,
  useOpened,
} from '#features/supervision/supervisionParts.tsx';

const column = columnsOf(getOwnSupervisionPageList);
const columns = [
  column('authorityname', '督办单位', { width: 190 }),
  column('content', '督办要求'),
  column.of('state', '状态', (row) => <SupervisionBadge row={row} />, { width: 190 }),
  column('duedate', '回复期限', { width: 120, sort: true }),
  column('createtime', '发起时间', stamp, { width: 160, sort: true }),
];

/** 督办 of an institution: what authorities ask, and the answers. */
export function OwnSupervisions() {
  const list = useList(getOwnSupervisionPageList);
  const [opened, setOpened] = useOpened();
  const isSchool = useUser().musertype === '005';
  return (
    <ListPage
      list={list}
      filters={
        <>
          <EnumFilter name="state" label="状态" of={SupervisionState} />
          {isSchool && <TermFilter terms={recentTerms()} />}
        </>
      }
      also={['supervisionid']}
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="supervisionid"
        label="督办列表"
        onOpen={(row) => setOpened(row.supervisionid)}
        actions={(row) => (
          <Button
            variant={row.state === SupervisionState.waiting ? 'filled' : 'subtle'}
            size="compact-sm"
            onClick={() => setOpened(row.supervisionid)}
          >
            {row.state === SupervisionState.waiting ? '回复' : '查看'}
          </Button>
        )}
        empty={
          <EmptyState
            title="没有督办"
            hint="主管部门发起督办后会列在这里，并通知负责人"
            filtered={Object.keys(list.filters).length > 0}
            reset={() => list.setFilters({})}
          />
        }
      />
      {opened && <Detail key={opened} supervisionid={opened} onClose={() => setOpened(undefined)} />}
    </ListPage>
  );
}

function Detail({ supervisionid, onClose }: { supervisionid: number; onClose: () => void }) {
  const read = useActionQuery(getOwnSupervision, { supervisionid });
  const [isReplying, setIsReplying] = useState(false);
  return (
    <SupervisionDrawer onClose={onClose}>
      <Loaded read={read} skeleton={<Skeletons.Lines count={6} />}>
        {(supervision) => (
          <SupervisionView
            supervision={supervision}
            more={[
              ['督办时超时预警', `${formatNumber(supervision.overdueatopening)} 个`],
              ['现在超时预警', `${formatNumber(supervision.overduenow)} 个`],
            ]}
          >
            <Text size="sm" c="dimmed">
              数量只有本机构可见，督办单位只看到“有超时”和回复的文字。
            </Text>
            <Group>
              {supervision.state !== SupervisionState.closed && (
                <Button onClick={() => setIsReplying(true)}>
                  {supervision.state === SupervisionState.waiting ? '回复' : '补充回复'}
                </Button>
              )}
              <Link to="/earlyWarning/earlyWarningLevel?overdue=1">查看超时预警</Link>
            </Group>
          </SupervisionView>
        )}
      </Loaded>
      {isReplying && <ReplyDrawer supervisionid={supervisionid} onClose={() => setIsReplying(false)} />}
    </SupervisionDrawer>
  );
}

function ReplyDrawer({ supervisionid, onClose }: { supervisionid: number; onClose: () => void }) {
  const form = useActionForm(replySupervision, {
    initial: { supervisionid },
    onDone: onClose,
    invalidates: [getOwnSupervisionPageList, getOwnSupervision],
    successMessage: '已回复',
  });
  return (
    <FormDrawer title="回复督办" onClose={onClose} form={form} save="提交回复">
      <LongTextField {...form.field('content')} maxLength={500} />
      <Text size="sm" c="dimmed">
        回复会发给督办单位。请写办理情况和完成日期，不要写姓名、学号、手机号或证件号，可写“一名初二学生”。
      </Text>
    </FormDrawer>
  );
}
