import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { addDays, fromShanghai, shanghaiDate } from '#domain/base/calendar.ts';
import { ANSWER_DAYS, MOST_ANSWER_DAYS, SupervisionState } from '#domain/supervision/supervision.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { DayField } from '#ui/dates/dateFields.tsx';
import { Badge } from '#ui/display/badges.tsx';
import { stamp } from '#ui/display/RelativeTime.tsx';
import { PageStack, Section } from '#ui/display/Section.tsx';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { LongTextField, SelectField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { columnsOf } from '#ui/list/columns.ts';
import { DataTable } from '#ui/list/DataTable.tsx';
import { EnumFilter } from '#ui/list/filters.tsx';
import { ListPage } from '#ui/list/ListPage.tsx';
import { useList } from '#ui/list/useList.ts';
import { SchoolFilter } from '#blocks/statistics/SchoolFilter.tsx';
import { TermFilter } from '#blocks/statistics/TermFilter.tsx';
import {
  closeSupervision,
  getSupervision,
  getSupervisionPageList,
  getSupervisionSchools,
  insertSupervision,
  returnSupervision,
} from '#features/supervision/supervision.contract.ts';
import {
  recentTerms,
  SupervisionBadge,
  SupervisionDrawer,
  SupervisionView,
  useOpened,
} from '#features/supervision/supervisionParts.tsx';

const column = columnsOf(getSupervisionPageList);
const columns = [
  column('insname', '机构', { width: 190 }),
  column('content', '督办要求'),
  column.of('state', '状态', (row) => <SupervisionBadge row={row} />, { width: 190 }),
  column('duedate', '回复期限', { width: 120, sort: true }),
  column('createtime', '发起时间', stamp, { width: 160, sort: true }),
];
const reads = [getSupervisionPageList, getSupervisionSchools, getSupervision];

const today = () => shanghaiDate(new Date());
const inDays = (days: number) => shanghaiDate(addDays(fromShanghai(today()), days));

/** 督办 of an authority: the institutions with the flag 有超时, and its 督办 with their answers. */
export function AuthoritySupervisions() {
  const list = useList(getSupervisionPageList);
  const [opened, setOpened] = useOpened();
  const musercode = typeof list.request['musercode'] === 'string' ? list.request['musercode'] : undefined;
  const [opening, setOpening] = useState<string>();
  return (
    <PageStack>
      <FlaggedSchools musercode={musercode} onOpen={setOpening} onShow={setOpened} />
      <ListPage
        list={list}
        filters={
          <>
            <EnumFilter name="state" label="状态" of={SupervisionState} />
            <SchoolFilter />
            <TermFilter terms={recentTerms()} />
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
            <Button variant="subtle" size="compact-sm" onClick={() => setOpened(row.supervisionid)}>
              {row.state === SupervisionState.answered ? '办理' : '查看'}
            </Button>
          )}
          empty={
            <EmptyState
              title="没有督办"
              hint="机构标有“有超时”时，可以从上方发起督办"
              filtered={Object.keys(list.filters).length > 0}
              reset={() => list.setFilters({})}
            />
          }
        />
      </ListPage>
      {opening && <OpenDrawer musercode={opening} onClose={() => setOpening(undefined)} />}
      {opened && <Detail key={opened} supervisionid={opened} onClose={() => setOpened(undefined)} />}
    </PageStack>
  );
}

function FlaggedSchools({
  musercode,
  onOpen,
  onShow,
}: {
  musercode: string | undefined;
  onOpen: (musercode: string) => void;
  onShow: (supervisionid: number) => void;
}) {
  const read = useActionQuery(getSupervisionSchools, musercode ? { musercode } : {});
  return (
    <Section title="有超时事项的机构">
      <Loaded read={read} skeleton={<Skeletons.Lines count={2} />}>
        {({ schools, datatime }) => {
          const flagged = schools.filter((school) => school.hasoverdue === 1);
          return (
            <>
              {flagged.length === 0 && <Text size="sm">{datatime ? '目前没有机构标有“有超时”。' : '夜间统计尚未运行。'}</Text>}
              <Group component="ul" gap="sm" p={0} m={0} aria-label="有超时事项的机构">
                {flagged.map((school) => (
                  <Group component="li" key={school.musercode} gap="xs" style={{ listStyle: 'none' }} wrap="nowrap">
                    <Text size="sm">{school.insname}</Text>
                    <Badge tone="orange">有超时</Badge>
                    {school.supervisionid === null ? (
                      <Button size="compact-sm" variant="light" onClick={() => onOpen(school.musercode)}>
                        发起督办
                      </Button>
                    ) : (
                      <Button size="compact-sm" variant="subtle" onClick={() => onShow(school.supervisionid as number)}>
                        督办中
                      </Button>
                    )}
                  </Group>
                ))}
              </Group>
              <Text size="xs" c="dimmed" mt="sm">
                只标明有无超时，不显示数量和姓名{datatime && `；每晚统计一次，最近 ${stamp(datatime)}`}。
              </Text>
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}

function OpenDrawer({ musercode, onClose }: { musercode: string; onClose: () => void }) {
  const schools = useActionQuery(getSupervisionSchools, {}).data?.schools ?? [];
  const form = useActionForm(insertSupervision, {
    initial: { musercode, duedate: inDays(ANSWER_DAYS) },
    onDone: onClose,
    invalidates: reads,
    successMessage: '已发起督办，对方会收到通知',
  });
  return (
    <FormDrawer title="发起督办" onClose={onClose} form={form} save="发起督办">
      <SelectField
        {...form.field('musercode')}
        options={schools
          .filter((school) => school.hasoverdue === 1 || school.musercode === musercode)
          .map((school) => ({ value: school.musercode, label: school.insname }))}
      />
      <LongTextField {...form.field('content')} maxLength={500} />
      <DayField {...form.field('duedate')} min={today()} max={inDays(MOST_ANSWER_DAYS)} />
      <Text size="sm" c="dimmed">
        请不要写受测者的姓名。对方看到自己的超时事项，回复中也不含姓名。
      </Text>
    </FormDrawer>
  );
}

function Detail({ supervisionid, onClose }: { supervisionid: number; onClose: () => void }) {
  const read = useActionQuery(getSupervision, { supervisionid });
  const [step, setStep] = useState<'close' | 'return'>();
  return (
    <SupervisionDrawer onClose={onClose}>
      <Loaded read={read} skeleton={<Skeletons.Lines count={6} />}>
        {(supervision) => (
          <SupervisionView supervision={supervision}>
            {supervision.state === SupervisionState.answered && (
              <Group>
                <Button onClick={() => setStep('close')}>办结</Button>
                <Button variant="default" onClick={() => setStep('return')}>
                  退回重办
                </Button>
              </Group>
            )}
          </SupervisionView>
        )}
      </Loaded>
      {step === 'close' && <CloseDrawer supervisionid={supervisionid} onClose={() => setStep(undefined)} />}
      {step === 'return' && <ReturnDrawer supervisionid={supervisionid} onClose={() => setStep(undefined)} />}
    </SupervisionDrawer>
  );
}

function CloseDrawer({ supervisionid, onClose }: { supervisionid: number; onClose: () => void }) {
  const form = useActionForm(closeSupervision, {
    initial: { supervisionid },
    onDone: onClose,
    invalidates: reads,
    successMessage: '已办结',
  });
  return (
    <FormDrawer title="办结督办" onClose={onClose} form={form} save="确认办结">
      <LongTextField {...form.field('content')} maxLength={500} />
    </FormDrawer>
  );
}

function ReturnDrawer({ supervisionid, onClose }: { supervisionid: number; onClose: () => void }) {
  const form = useActionForm(returnSupervision, {
    initial: { supervisionid, duedate: inDays(ANSWER_DAYS) },
    onDone: onClose,
    invalidates: reads,
    successMessage: '已退回，对方会收到通知',
  });
  return (
    <FormDrawer title="退回重办" onClose={onClose} form={form} save="退回">
      <LongTextField {...form.field('content')} maxLength={500} />
      <DayField {...form.field('duedate')} min={today()} max={inDays(MOST_ANSWER_DAYS)} />
    </FormDrawer>
  );
}
