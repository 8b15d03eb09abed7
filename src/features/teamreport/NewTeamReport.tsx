import { Button, Group, Modal, MultiSelect, Radio, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Appid } from '#domain/base/enums.ts';
import type { ScopeKind } from '#domain/teamreport/teamreport.facts.ts';
import type { RequestOf } from '#contract/action.ts';
import { useUser } from '#ui/api/session.ts';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { getStatisticOptions } from '#features/statistics/options/options.contract.ts';
import { getAssessTeamPageList, getSchoolList } from '#features/team/team.contract.ts';
import { KIND_OPTIONS } from '#features/teamreport/kinds.ts';
import { getTeamReportPageList, insertTeamReport } from '#features/teamreport/teamreport.contract.ts';

type Scope = NonNullable<RequestOf<typeof insertTeamReport>['scope']>;

/** The ways to choose a period without typing: whole months back from today. */
const PERIODS = [
  { value: '1', label: '最近一个月' },
  { value: '3', label: '最近三个月' },
  { value: '12', label: '最近一年' },
];
/** The day some months before a day. */
function monthsBefore(today: string, months: number): string {
  const [year = 0, month = 1, day = 1] = today.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 - months, Math.min(day, 28))).toISOString().slice(0, 10);
}

interface Choice {
  kind: ScopeKind;
  musercode?: string | undefined;
  taskcode?: string | undefined;
  term?: string | undefined;
  gradecode?: string | undefined;
  appid?: string | undefined;
  months?: string | undefined;
  teamcodes: string[];
}

/** The request of a choice; undefined while something is missing. */
function toScope(
  { kind, musercode, taskcode, term, gradecode, appid, months, teamcodes }: Choice,
  today: string,
): Scope | undefined {
  const [year, termcode] = term?.split('/') ?? [];
  const common = { kind, ...(musercode ? { musercode } : {}), ...(appid ? { appid } : {}) };
  const inTerm = { ...(year ? { year } : {}), ...(termcode ? { term: termcode } : {}) };
  switch (kind) {
    case 'task':
      return taskcode ? { kind, taskcode } : undefined;
    case 'teams':
      return teamcodes.length > 0 ? { kind, teamcodes, ...(taskcode ? { taskcode } : {}) } : undefined;
    case 'grade':
      return gradecode && year ? { ...common, gradecode, ...inTerm } : undefined;
    case 'institution':
      return year ? { ...common, ...inTerm } : undefined;
    case 'period':
      return months ? { ...common, begindate: monthsBefore(today, Number(months)), enddate: today } : undefined;
  }
}

/** Chooses what a group report is about, and makes it. */
export function NewTeamReport({ onClose, onMade }: { onClose: () => void; onMade: (teamreportcode: string) => void }) {
  const { musertype } = useUser();
  const isOwn = musertype === '004' || musertype === '005';
  const [choice, setChoice] = useState<Choice>({ kind: 'task', teamcodes: [] });
  const { kind, musercode, taskcode, term, gradecode, appid, months, teamcodes } = choice;
  const change = (part: Partial<Choice>) => setChoice({ ...choice, ...part });
  const schools = useActionQuery(getSchoolList, isOwn ? undefined : {});
  const year = kind === 'grade' ? term?.split('/')[0] : undefined;
  const options = useActionQuery(
    getStatisticOptions,
    isOwn || musercode ? { ...(musercode ? { musercode } : {}), ...(year ? { year } : {}) } : undefined,
    { keepPrevious: true },
  ).data;
  const teams = useActionQuery(
    getAssessTeamPageList,
    kind === 'teams' && (isOwn || musercode) ? { pageSize: 200, ...(musercode ? { musercode } : {}) } : undefined,
  ).data;
  const make = useActionMutation(insertTeamReport, {
    invalidates: [getTeamReportPageList],
    successMessage: '团体报告已生成',
    onDone: ({ teamreportcode }) => onMade(teamreportcode),
  });
  const scope = toScope(choice, options?.today ?? '');
  const appids = options?.appids ?? [];
  const needsAppid = ['grade', 'institution', 'period'].includes(kind) && appids.length > 1;
  const taskSelect = (isNeeded: boolean) => (
    <Select
      label="任务"
      placeholder={isNeeded ? '请选择任务' : '全部任务'}
      searchable
      clearable
      withAsterisk={isNeeded}
      value={taskcode ?? null}
      onChange={(value) => change({ taskcode: value ?? undefined })}
      data={options?.tasks.map((task) => ({ value: task.taskcode, label: task.taskname })) ?? []}
      nothingFoundMessage="没有任务"
    />
  );
  return (
    <Modal opened onClose={onClose} title="生成团体报告" size="md">
      <Stack gap="md">
        {!isOwn && (
          <Select
            label="机构"
            placeholder="请选择机构"
            searchable
            withAsterisk
            value={musercode ?? null}
            onChange={(value) => setChoice({ kind, teamcodes: [], musercode: value ?? undefined })}
            data={schools.data?.map(({ schoolcode, schoolname }) => ({ value: schoolcode, label: schoolname })) ?? []}
          />
        )}
        <Radio.Group
          label="报告范围"
          value={kind}
          onChange={(value) => setChoice({ kind: value as ScopeKind, musercode, teamcodes: [] })}
        >
          <Group gap="md" mt={6}>
            {KIND_OPTIONS.map((option) => (
              <Radio key={option.value} {...option} />
            ))}
          </Group>
        </Radio.Group>
        {kind === 'task' && taskSelect(true)}
        {kind === 'teams' && (
          <>
            <MultiSelect
              label="班级/团体"
              placeholder={teamcodes.length > 0 ? '' : '可选择多个'}
              searchable
              clearable
              withAsterisk
              value={teamcodes}
              onChange={(value) => change({ teamcodes: value })}
              data={
                teams?.rows.map((team) => ({
                  value: team.teamcode,
                  label: `${team.teamname}${team.year ? `（${team.year}）` : ''}`,
                })) ?? []
              }
              nothingFoundMessage="没有团体"
            />
            {taskSelect(false)}
          </>
        )}
        {(kind === 'grade' || kind === 'institution') && (
          <Select
            label="学期"
            placeholder="请选择学期"
            withAsterisk
            value={term ?? null}
            onChange={(value) => change({ term: value ?? undefined, gradecode: undefined })}
            data={options?.terms.map((one) => ({ value: `${one.year}/${one.term}`, label: `${one.year} ${one.termname}` })) ?? []}
            nothingFoundMessage="还没有任务"
          />
        )}
        {kind === 'grade' && (
          <Select
            label="年级"
            placeholder="请选择年级"
            withAsterisk
            value={gradecode ?? null}
            onChange={(value) => change({ gradecode: value ?? undefined })}
            data={options?.grades.map((grade) => ({ value: grade.gradecode, label: grade.gradename })) ?? []}
          />
        )}
        {kind === 'period' && (
          <Select
            label="时间段"
            placeholder="请选择时间段"
            withAsterisk
            value={months ?? null}
            onChange={(value) => change({ months: value ?? undefined })}
            data={PERIODS}
          />
        )}
        {needsAppid && (
          <Select
            label="人群"
            placeholder="请选择人群"
            withAsterisk
            value={appid ?? null}
            onChange={(value) => change({ appid: value ?? undefined })}
            data={appids.map((value) => ({ value, label: Appid.label(value as '000000002') }))}
          />
        )}
        <Text size="xs" c="dimmed">
          报告保存生成时的数据，不含姓名；人数少的分组不显示结果。数据更新后可重新生成，原来的版本仍可查看。
        </Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            取消
          </Button>
          <Button
            disabled={!scope || (needsAppid && !appid)}
            loading={make.isPending}
            onClick={() => scope && make.mutate({ scope })}
          >
            生成
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
