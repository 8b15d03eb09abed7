import { Button, Group, TextInput } from '@mantine/core';
import { DateTimePicker } from '@mantine/dates';
import 'dayjs/locale/zh-cn';
import { useEffect, useRef, useState } from 'react';
import type { ResponseOf } from '#contract/action.ts';
import { ApiError } from '#contract/apiError.ts';
import { formatNumber } from '#domain/base/number.ts';
import { shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { findSlotFault } from '#domain/task/slots.ts';
import { Appid, Term } from '#domain/base/enums.ts';
import { EnumField, SelectField, SwitchField } from '#ui/form/fields.tsx';
import { savePreference, readPreference } from '#ui/api/preference.ts';
import { useLocation, useNavigate } from '#ui/router/router.tsx';
import { Section } from '#ui/display/Section.tsx';
import { notify, notifyError } from '#ui/feedback/notify.ts';
import { can, useUser } from '#ui/api/session.ts';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { Wizard } from '#ui/form/Wizard.tsx';
import { getMUserExamPlanPage } from '#features/plan/plan.contract.ts';
import { getTaskBoard } from '#features/task/board/board.contract.ts';
import { PlanChoice, planRequest } from '#features/task/wizard/PlanChoice.tsx';
import { TaskReview } from '#features/task/wizard/TaskReview.tsx';
import { SlotFields } from '#features/task/slots/SlotFields.tsx';
import { checkAssessTask, getAssessTaskTeams, insertAssessTask } from '#features/task/task.contract.ts';
import type { TaskDraft } from '#features/task/taskDraft.ts';
import { populations, taskPath, yearOptions } from '#features/task/task.labels.ts';
import { TeamChoice } from '#features/task/wizard/TeamChoice.tsx';

const DRAFT = 'task.draft';

/** Returns the usual window of a screening: from 08:00 tomorrow to 17:00 on the seventh day. */
function defaultWindow() {
  const day = (offset: number) => shanghaiDate(new Date(Date.now() + offset * 86_400_000));
  return { begintime: `${day(1)} 08:00`, endtime: `${day(7)} 17:00` };
}

/** Reads the unfinished draft of this user. A window that has passed becomes the default one. */
function readDraft(): TaskDraft | undefined {
  const draft = readPreference<TaskDraft>(DRAFT);
  if (!draft) return undefined;
  return draft.endtime > shanghaiTime(new Date()) ? draft : { ...draft, ...defaultWindow() };
}
const hasContent = (draft: TaskDraft) => draft.taskname.trim() !== '' || draft.plancode !== '' || draft.teamcodes.length > 0;

/** The step of each field: a refusal of the server leads there. */
const STEP_OF_FIELD = {
  taskname: 'name',
  appid: 'name',
  year: 'name',
  term: 'name',
  plancode: 'plan',
  stagecode: 'plan',
  begintime: 'window',
  endtime: 'window',
  resultshow: 'window',
  teamcodes: 'teams',
  slots: 'teams',
  review: 'review',
} as const;

/** A refusal of a step, and the field that it is about. */
interface Fault {
  field: keyof typeof STEP_OF_FIELD;
  reason: string;
}
const hasStep = (field: string | undefined): field is Fault['field'] => field !== undefined && field in STEP_OF_FIELD;

/** The request for the task to copy, from the address `?from=`. */
const fromOf = (search: string) => {
  const taskcode = new URLSearchParams(search).get('from');
  return taskcode ? { taskcode } : undefined;
};

/** The teams that the address names, for example those of an import. */
const teamsOf = (search: string) => new URLSearchParams(search).getAll('team');

/** The settings that a new task takes from an earlier one. Its window is the usual one. */
const toCopy = ({ task, classes }: ResponseOf<typeof getTaskBoard>): Partial<TaskDraft> => ({
  taskname: task.taskname,
  appid: task.appid,
  plancode: task.plancode,
  stagecode: task.stagecode || null,
  resultshow: task.resultshow === 1 ? 1 : 0,
  teamcodes: classes.flatMap(({ teamcode }) => (teamcode ? [teamcode] : [])),
  ...defaultWindow(),
});

/** 新建任务: a wizard. The draft survives reloads until the task is created. */
export default function TaskWizardPage() {
  return can(insertAssessTask) ? (
    <TaskWizard />
  ) : (
    <Section title="新建任务">
      <EmptyState title="没有新建任务的权限" hint="请联系机构管理员" />
    </Section>
  );
}

function TaskWizard() {
  const user = useUser();
  const navigate = useNavigate();
  const { search } = useLocation();
  const [draft, setDraft] = useState<TaskDraft>(() => {
    const teamcodes = teamsOf(search);
    const first = readDraft() ?? {
      taskname: '',
      appid: user.appid && user.appid !== Appid.custom ? user.appid : user.sector === 'health' ? '000000001' : '000000002',
      plancode: '',
      year: yearOptions(new Date())[1]?.value ?? null,
      term: new Date().getMonth() >= 7 || new Date().getMonth() === 0 ? '1' : '2',
      teamcodes: [],
      resultshow: 0,
      ...defaultWindow(),
    };
    return teamcodes.length ? { ...first, teamcodes, slots: [] } : first;
  });
  const [isRestored] = useState(() => readPreference(DRAFT) != null);
  const isCreated = useRef(false);
  useEffect(() => {
    if (!isCreated.current) savePreference(DRAFT, hasContent(draft) ? draft : null);
  }, [draft]);
  useEffect(() => {
    if (isRestored) notify.info('已恢复上次未完成的内容');
  }, [isRestored]);
  const [fault, setFault] = useState<Fault>();
  const set = (change: Partial<TaskDraft>) => {
    setFault(undefined);
    setDraft((before) => ({ ...before, ...change }));
  };
  // A fault stands at its field, and the field gets the focus.
  useEffect(() => {
    if (!fault) return;
    const place = document.getElementById(`task-${fault.field}`);
    (place?.querySelector<HTMLElement>('input, button') ?? place)?.focus();
  }, [fault]);
  const refuse = (field: Fault['field'], reason: string) => {
    setFault({ field, reason });
    return reason;
  };
  /** The slots of the classes that still take part. */
  const slotsFor = (teamcodes: readonly string[]) => (draft.slots ?? []).filter((slot) => teamcodes.includes(slot.teamcode));
  const faultOf = (field: Fault['field']) => (fault?.field === field ? fault.reason : undefined);
  const copied = useActionQuery(getTaskBoard, fromOf(search), { quiet: true });
  const isCopied = useRef(false);
  useEffect(() => {
    if (!copied.data || isCopied.current) return;
    isCopied.current = true;
    set(toCopy(copied.data));
    notify.info('已填入原任务的设置，请核对时间');
  }, [copied.data]);
  const plans = useActionQuery(getMUserExamPlanPage, planRequest(draft.appid));
  const teams = useActionQuery(getAssessTaskTeams, { appid: draft.appid });
  const isComplete = draft.plancode !== '' && draft.teamcodes.length > 0;
  const check = useActionQuery(
    checkAssessTask,
    isComplete
      ? {
          plancode: draft.plancode,
          stagecode: draft.stagecode ?? null,
          teamcodes: draft.teamcodes,
          cuserids: [],
          begintime: draft.begintime,
        }
      : undefined,
    { quiet: true },
  );
  const create = useActionMutation(insertAssessTask, { quiet: true });
  const [jump, setJump] = useState<{ to: string }>();
  const finish = async (status: 0 | 1) => {
    try {
      const created = await create.mutateAsync({ ...draft, status });
      isCreated.current = true;
      savePreference(DRAFT, null);
      notify.done(status === 1 ? `任务已创建，共 ${formatNumber(created.rostercount)} 人` : '已存为草稿');
      void navigate(taskPath(created.taskcode));
    } catch (error) {
      // The refusal stands at its field, in the step of this field.
      if (!(error instanceof ApiError) || !hasStep(error.field)) return notifyError(error);
      setJump({ to: STEP_OF_FIELD[error.field] });
      refuse(error.field, error.message);
    }
  };
  const time = (name: 'begintime' | 'endtime', label: string) => (
    <DateTimePicker
      label={label}
      required
      id={`task-${name}`}
      error={faultOf(name)}
      value={`${draft[name]}:00`}
      onChange={(value) => value && set({ [name]: value.slice(0, 16) })}
      w={320}
      maw="100%"
    />
  );
  const steps = [
    {
      key: 'name',
      title: '基本信息',
      content: (
        <>
          <TextInput
            label="任务名称"
            required
            id="task-taskname"
            autoFocus={draft.taskname === ''}
            error={faultOf('taskname')}
            maxLength={60}
            placeholder="例如：2025 秋季心理普测"
            value={draft.taskname}
            onChange={(event) => set({ taskname: event.currentTarget.value })}
          />
          <SelectField
            label="人群"
            required
            options={populations}
            value={draft.appid}
            onChange={((appid: string) => set({ appid, plancode: '', stagecode: null, teamcodes: [], slots: [] })) as never}
          />
          <SelectField
            label="学年"
            options={yearOptions(new Date())}
            value={draft.year}
            onChange={((year: string | null) => set({ year })) as never}
          />
          <EnumField label="学期" of={Term} value={draft.term} onChange={((term: '1' | '2' | null) => set({ term })) as never} />
        </>
      ),
      check: () => (draft.taskname.trim() ? undefined : refuse('taskname', '请填写任务名称')),
    },
    {
      key: 'plan',
      title: '方案',
      content: (
        <PlanChoice
          appid={draft.appid}
          plancode={draft.plancode}
          stagecode={draft.stagecode ?? null}
          fault={faultOf('plancode')}
          stageFault={faultOf('stagecode')}
          onChange={set}
        />
      ),
      check: () => {
        if (!draft.plancode) return refuse('plancode', '请选择方案');
        const needsStage = plans.data?.rows.some((row) => row.plancode === draft.plancode && row.stages.length > 0);
        return needsStage && !draft.stagecode ? refuse('stagecode', '该方案按阶段作答，请选择阶段') : undefined;
      },
    },
    {
      key: 'window',
      title: '时间与报告',
      content: (
        <>
          <Group align="flex-end" gap="sm">
            {time('begintime', '开始时间')}
            <Button variant="default" onClick={() => set({ begintime: shanghaiTime(new Date()).slice(0, 16) })}>
              立即开始
            </Button>
          </Group>
          {time('endtime', '结束时间')}
          <SwitchField
            label="作答后可看报告"
            words="受测者交卷后可以查看自己的报告（本人版：部分得分和平实的说明，不是诊断）"
            value={draft.resultshow}
            onChange={((resultshow: 0 | 1) => set({ resultshow })) as never}
          />
        </>
      ),
      check: () => (draft.endtime > draft.begintime ? undefined : refuse('endtime', '结束时间须晚于开始时间')),
    },
    {
      key: 'teams',
      title: '参加团体',
      content: (
        <Loaded read={teams} skeleton={<Skeletons.Lines />}>
          {(rows) => (
            <>
              <TeamChoice
                teams={rows}
                chosen={draft.teamcodes}
                fault={faultOf('teamcodes')}
                onChange={(teamcodes) => set({ teamcodes, slots: slotsFor(teamcodes) })}
              />
              {draft.teamcodes.length > 0 && (
                <SlotFields
                  teams={rows.filter(({ teamcode }) => draft.teamcodes.includes(teamcode))}
                  begintime={draft.begintime}
                  slots={draft.slots ?? []}
                  fault={faultOf('slots')}
                  onChange={(slots) => set({ slots })}
                />
              )}
            </>
          )}
        </Loaded>
      ),
      check: () => {
        if (!draft.teamcodes.length) return refuse('teamcodes', '请至少选择一个团体');
        const slotFault = findSlotFault(draft.slots ?? [], draft);
        const name = teams.data?.find(({ teamcode }) => teamcode === slotFault?.teamcode)?.teamname;
        return slotFault && refuse('slots', `${name ?? ''}：${slotFault.reason}`);
      },
    },
    {
      key: 'review',
      title: '核对',
      content: (
        <TaskReview
          draft={draft}
          check={check}
          fault={faultOf('review')}
          musercode={teams.data?.find(({ teamcode }) => draft.teamcodes.includes(teamcode))?.musercode ?? ''}
          onDraft={() => void finish(0)}
          isBusy={create.isPending}
        />
      ),
      check: () => {
        if (!check.data) return refuse('review', '正在核对人数与次数，请稍候');
        if (!check.data.licenceok) return refuse('review', check.data.reasons[0] ?? '方案暂不能使用');
        if (check.data.rostercount === 0) return refuse('review', '所选团体中没有可以参加的人员');
        return check.data.free < check.data.need
          ? refuse('review', `测评次数不足：需要 ${formatNumber(check.data.need)} 次，剩余 ${formatNumber(check.data.free)} 次`)
          : undefined;
      },
    },
  ];
  return (
    <Section title="新建任务">
      <Wizard
        steps={steps.map((step) => ({
          ...step,
          content: <div style={{ display: 'grid', gap: 16, maxWidth: 860, marginTop: 20 }}>{step.content}</div>,
        }))}
        onFinish={() => finish(1)}
        finish="创建并发布"
        // `refuse` has put the reason at its field.
        onRefuse={() => undefined}
        jump={jump}
      />
    </Section>
  );
}
