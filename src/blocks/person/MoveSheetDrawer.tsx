import { Alert, Drawer, Group, Radio, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useActionQuery } from '#ui/api/useAction.ts';
import { Badge } from '#ui/display/badges.tsx';
import { notify } from '#ui/feedback/notify.ts';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { LongTextField, SelectField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm, type ActionForm } from '#ui/form/useActionForm.ts';
import type { Action, ResponseOf } from '#contract/action.ts';
import { PersonField } from '#blocks/person/PersonField.tsx';
import { answerExamMove, getExamMoveList, moveExam, swapExam } from '#features/identity/identity.contract.ts';

interface Props {
  person: { cuserid: string; username: string };
  /** Lists that show the person's sheets. */
  invalidates: readonly Action[];
  onClose: () => void;
}
type List = ResponseOf<typeof getExamMoveList>;
type Exam = List['exams'][number];

const sheetOptions = (exams: readonly Exam[]) =>
  exams.map(({ examcode, planname, taskname, submittime }) => ({
    value: examcode,
    label: [submittime.slice(0, 16), planname, taskname].filter(Boolean).join(' · '),
  }));

/** 更正答卷归属: gives a sheet to the person who answered it, swaps two sheets, or answers a colleague's request. */
export function MoveSheetDrawer({ person, invalidates, onClose }: Props) {
  const list = useActionQuery(getExamMoveList, { cuserid: person.cuserid }, { quiet: true });
  const waiting = list.data?.moves.filter(({ status }) => status === '01') ?? [];
  if (!list.data)
    return (
      <Drawer opened onClose={onClose} position="right" title="更正答卷归属" size="min(560px, 100vw)">
        <Loaded read={list} skeleton={<Skeletons.Form />}>
          {() => <Skeletons.Form />}
        </Loaded>
      </Drawer>
    );
  const [first] = waiting;
  return first ? (
    <WaitingMove key={first.moveid} move={first} invalidates={invalidates} onClose={onClose} />
  ) : (
    <NewMove person={person} exams={list.data.exams} invalidates={invalidates} onClose={onClose} />
  );
}

const CONSEQUENCES = [
  '得分、报告按实际作答者的年龄、性别、年级和历次结果重新计算；原报告留存为“已更正”，不再使用。',
  '需要关注的，立即为实际作答者建立个案，时限从现在起算。',
  '原受测者已有的个案不会自动关闭，请核实本人情况后按流程排除或结案。',
  '有预警或重度的答卷，须经另一位同事复核后才会更正。',
];

const Consequences = () => (
  <Alert color="blue" title="更正后会发生什么" style={{ flex: 'none' }} styles={{ title: { color: 'var(--ink)' } }}>
    <Stack gap={4}>
      {CONSEQUENCES.map((text) => (
        <Text key={text} size="sm">
          {text}
        </Text>
      ))}
    </Stack>
  </Alert>
);

/** The form of a new correction. Two actions share it: the way of the correction decides which one sends. */
function NewMove({ person, exams, invalidates, onClose }: Props & { exams: readonly Exam[] }) {
  const [way, setWay] = useState<'move' | 'swap'>('move');
  const Form = way === 'move' ? MoveForm : SwapForm;
  return (
    <Form
      person={person}
      exams={exams}
      invalidates={invalidates}
      onClose={onClose}
      choice={
        <Radio.Group label="更正方式" value={way} onChange={(value) => setWay(value as 'move' | 'swap')}>
          <Stack gap="xs" mt={6}>
            <Radio value="move" label="移给实际作答者" description="对方在该任务中还没有答卷；原受测者可以重新作答" />
            <Radio value="swap" label="两人互换" description="两人拿错了，同一任务的两份答卷对调，不影响次数" />
          </Stack>
        </Radio.Group>
      }
    />
  );
}

type FormProps = Props & { exams: readonly Exam[]; choice: ReactNode };
const sayDone = ({ waits }: ResponseOf<typeof moveExam>) => notify.done(waits === 1 ? '已提交，等待另一位同事复核' : '已更正');

function MoveForm({ person, exams, invalidates, onClose, choice }: FormProps) {
  const form = useActionForm(moveExam, {
    initial: exams.length === 1 ? { examcode: exams[0]?.examcode ?? '' } : {},
    onDone: (result) => {
      sayDone(result);
      onClose();
    },
    invalidates: [getExamMoveList, ...invalidates],
    successMessage: '',
  });
  return (
    <FormDrawer title={`更正答卷归属 · ${person.username}`} onClose={onClose} form={form} width={560} save="更正归属">
      {choice}
      <SheetFields form={form} exams={exams} />
      <PersonField {...form.field('cuserid')} onPick={(cuserid) => form.set('cuserid', cuserid)} />
      <LongTextField {...form.field('reason')} maxLength={200} />
      <Consequences />
    </FormDrawer>
  );
}

function SwapForm({ person, exams, invalidates, onClose, choice }: FormProps) {
  const [other, setOther] = useState<string | null>(null);
  const form = useActionForm(swapExam, {
    initial: exams.length === 1 ? { examcode: exams[0]?.examcode ?? '' } : {},
    onDone: (result) => {
      sayDone(result);
      onClose();
    },
    invalidates: [getExamMoveList, ...invalidates],
    successMessage: '',
  });
  const sheet = exams.find(({ examcode }) => examcode === form.values.examcode);
  const otherList = useActionQuery(getExamMoveList, other ? { cuserid: other } : undefined, { quiet: true });
  const matching = (otherList.data?.exams ?? []).filter(
    ({ plancode, taskcode }) => plancode === sheet?.plancode && taskcode === sheet.taskcode,
  );
  return (
    <FormDrawer title={`更正答卷归属 · ${person.username}`} onClose={onClose} form={form} width={560} save="互换答卷">
      {choice}
      <SheetFields form={form} exams={exams} />
      <PersonField
        label="另一位受测者"
        required
        value={other}
        onPick={(cuserid) => {
          setOther(cuserid);
          form.set('otherexamcode', '');
        }}
      />
      <SelectField {...form.field('otherexamcode')} options={sheetOptions(matching)} />
      {other && otherList.data && matching.length === 0 && (
        <Text size="sm" c="dimmed" role="status">
          该受测者没有同一任务、同一方案的答卷，不能互换。
        </Text>
      )}
      <LongTextField {...form.field('reason')} maxLength={200} />
      <Consequences />
    </FormDrawer>
  );
}

const SheetFields = ({
  form,
  exams,
}: {
  form: ActionForm<typeof moveExam> | ActionForm<typeof swapExam>;
  exams: readonly Exam[];
}) => <SelectField {...form.field('examcode')} options={sheetOptions(exams)} />;

/** A correction that waits: the second person agrees or returns it; the asker reads that it waits. */
function WaitingMove({ move, invalidates, onClose }: Omit<Props, 'person'> & { move: List['moves'][number] }) {
  const form = useActionForm(answerExamMove, {
    initial: { moveid: move.moveid, content: '' },
    onDone: ({ status }) => {
      notify.done(status === '02' ? '已更正' : '已退回');
      onClose();
    },
    invalidates: [getExamMoveList, ...invalidates],
    successMessage: '',
  });
  return (
    <FormDrawer
      title="复核答卷更正"
      onClose={onClose}
      form={form}
      width={560}
      save="提交复核结论"
      readOnly={move.cananswer === 0}
    >
      <Group gap="xs">
        <Badge tone="orange">等待复核</Badge>
        <Text size="sm">
          {move.askname} 于 {move.asktime.slice(0, 16)} 申请
        </Text>
      </Group>
      <Text size="sm">
        {move.submittime.slice(0, 16)} 提交的“{move.planname}”，
        {move.kind === '01' ? `由${move.fromname}更正为${move.toname}` : `${move.fromname}与${move.toname}互换`}。
      </Text>
      <Text size="sm">更正依据：{move.reason}</Text>
      <Consequences />
      {move.cananswer === 1 ? (
        <>
          <Radio.Group
            label="结论"
            required
            value={form.values.agreed === undefined ? null : String(form.values.agreed)}
            onChange={(value) => form.set('agreed', Number(value))}
            error={form.error('agreed')}
            data-path="agreed"
          >
            <Stack gap="xs" mt={6}>
              <Radio value="1" label={`同意：这份答卷由${move.toname}作答，立即更正`} />
              <Radio value="0" label="退回：归属没有错，或依据不足" />
            </Stack>
          </Radio.Group>
          <LongTextField {...form.field('content')} maxLength={200} />
        </>
      ) : (
        <Text size="sm" c="dimmed">
          须由申请人以外的同事复核。复核之前，答卷和个案都不变。
        </Text>
      )}
    </FormDrawer>
  );
}
