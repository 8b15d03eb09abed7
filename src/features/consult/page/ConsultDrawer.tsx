import { Alert, Button, Drawer, Group, Stack, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import {
  ConsultActor,
  ConsultAttendance,
  ConsultOutcome,
  ConsultSource,
  ConsultStatus,
  ConsultTopic,
  ConsultType,
} from '#domain/base/enums.ts';
import { fromShanghai } from '#domain/base/calendar.ts';
import { slotWords } from '#domain/consult/slotWords.ts';
import { levelName } from '#domain/warning/levels.ts';
import { EnumBadge, WarningBadge } from '#ui/display/badges.tsx';
import { Clock } from '#ui/display/Clock.tsx';
import { EventTimeline } from '#ui/display/EventTimeline.tsx';
import { PersonName } from '#ui/display/PersonName.tsx';
import { Facts, Section } from '#ui/display/Section.tsx';
import { confirm, confirmLeave } from '#ui/feedback/confirm.tsx';
import { useFocusBack } from '#ui/feedback/useFocusBack.ts';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { Link } from '#ui/router/router.tsx';
import { hasUnsaved } from '#ui/router/unsaved.ts';
import { can, useUser } from '#ui/api/session.ts';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { BookDrawer } from '#blocks/consult/BookDrawer.tsx';
import { STATUS_TONES } from '#features/consult/page/consultWords.ts';
import { FinishDrawer } from '#features/consult/page/FinishDrawer.tsx';
import { NoteSection } from '#features/consult/page/NoteSection.tsx';
import { AppendDrawer, CancelDrawer, EditDrawer, MissDrawer } from '#features/consult/page/stepDrawers.tsx';
import {
  deleteConsult,
  getConsultDetail,
  updateConsult,
  type ConsultDetail,
} from '#features/consult/register/register.contract.ts';
import classes from './consult.module.css';

type Step = ConsultDetail['steps'][number] | 'edit';

/** The labels of the steps in the order in which they are offered. The first one that is possible is the next step. */
const STEPS: readonly (readonly [Step, string])[] = [
  ['finish', '完成咨询'],
  ['miss', '登记爽约'],
  ['book', '预约'],
  ['move', '改期'],
  ['append', '补记'],
  ['cancel', '取消'],
];

interface Props {
  consultid: number;
  /** the registrations of the list in order, for 上一条 and 下一条 */
  sequence: readonly number[];
  onMove: (consultid: number) => void;
  onClose: () => void;
}

/** A registration beside the list: who, what is next, what was said, what happened. */
export function ConsultDrawer({ consultid, sequence, onMove, onClose }: Props) {
  const read = useActionQuery(getConsultDetail, { consultid });
  const [step, setStep] = useState<Step>();
  useFocusBack();
  const at = sequence.indexOf(consultid);
  /** Leaves this registration. With a private note that is not saved it asks first. */
  const leave = async (go: () => void) => {
    if (!hasUnsaved() || (await confirmLeave())) go();
  };
  const move = (to: number | undefined, label: string, isNext: boolean) => (
    <Button
      variant="default"
      size="xs"
      disabled={to === undefined}
      {...(isNext
        ? { rightSection: <IconChevronRight size={14} aria-hidden /> }
        : { leftSection: <IconChevronLeft size={14} aria-hidden /> })}
      onClick={() => void (to !== undefined && leave(() => onMove(to)))}
    >
      {label}
    </Button>
  );
  return (
    <Drawer
      opened
      onClose={() => void leave(onClose)}
      closeOnEscape={step === undefined}
      size="min(720px, 100vw)"
      title="咨询登记"
      closeButtonProps={{ 'aria-label': '关闭' }}
    >
      <Loaded read={read} skeleton={<Skeletons.Lines />}>
        {(consult) => (
          <Stack gap="md">
            <Group justify="space-between" gap="sm">
              <Group gap="sm">
                <Text component="h2" m={0} fz={18} fw={600}>
                  <PersonName value={consult.username} />
                </Text>
                <EnumBadge of={ConsultStatus} code={consult.status} tones={STATUS_TONES} />
                {consult.warningcode && (
                  <Link to={`/earlyWarning/case/${consult.warningcode}`} aria-label={`打开个案 ${consult.warningcode}`}>
                    <WarningBadge level={consult.warninglevel} />
                  </Link>
                )}
                {consult.status === '01' && <Clock deadline={fromShanghai(consult.duetime).getTime()} />}
              </Group>
              {at >= 0 && sequence.length > 1 && (
                <Group gap="xs">
                  {move(sequence[at - 1], '上一条', false)}
                  {move(sequence[at + 1], '下一条', true)}
                </Group>
              )}
            </Group>
            <NextSteps consult={consult} open={setStep} onClose={onClose} />
            <Registration consult={consult} />
            {consult.status === '03' && <Summary consult={consult} edit={() => setStep('edit')} />}
            <NoteSection consult={consult} />
            <Section title="经过">
              <EventTimeline
                label="这条登记的经过"
                events={consult.log.map(({ action, content, operatorname, time }, index) => ({
                  key: index,
                  at: time,
                  title: action,
                  who: operatorname,
                  body: content && <p className={classes['text']}>{content}</p>,
                }))}
              />
            </Section>
            {step && <StepForm step={step} consult={consult} onClose={() => setStep(undefined)} />}
          </Stack>
        )}
      </Loaded>
    </Drawer>
  );
}

/** The steps that the reader can take now, the next one filled; and who takes it otherwise. */
function NextSteps({ consult, open, onClose }: { consult: ConsultDetail; open: (step: Step) => void; onClose: () => void }) {
  const remove = useActionMutation(deleteConsult, { successMessage: '删除成功', onDone: onClose });
  const steps = STEPS.filter(([step]) => (consult.steps as readonly Step[]).includes(step));
  const isDeletable = can(deleteConsult) && ['01', '04'].includes(consult.status);
  const confirmDelete = async () => {
    const text = `是否确认删除“${consult.username} ${consult.applytime.slice(0, 10)} 的登记”？只用于填错的登记。`;
    if (await confirm({ text, danger: true })) remove.mutate({ consultid: consult.consultid });
  };
  return (
    <>
      {consult.guardianopen === 1 && (
        <Alert color="orange" variant="light" title="监护人同意尚未确认" styles={{ title: { color: 'var(--ink)' } }}>
          本人申请咨询不以监护人同意为前提；涉及测评结果的内容仍按监护人同意的范围使用。
        </Alert>
      )}
      {(steps.length > 0 || isDeletable) && (
        <Group gap="xs" role="group" aria-label="下一步">
          {steps.map(([step, label], index) => (
            <Button key={step} size="sm" variant={index === 0 ? 'filled' : 'default'} onClick={() => open(step)}>
              {label}
            </Button>
          ))}
          {isDeletable && (
            <Button size="sm" variant="subtle" color="red" loading={remove.isPending} onClick={() => void confirmDelete()}>
              删除
            </Button>
          )}
        </Group>
      )}
      {steps.length === 0 && consult.status === '02' && can(updateConsult) && (
        <p className={classes['quiet']}>这次咨询由 {consult.counsellorname || '咨询师'} 或机构管理员登记结果。</p>
      )}
    </>
  );
}

/** What was applied for and what is booked. */
function Registration({ consult }: { consult: ConsultDetail }) {
  return (
    <Section title="登记">
      <Stack gap="md">
        <Facts
          facts={[
            ['所属', [consult.belongs, consult.insname].filter(Boolean).join(' · ')],
            ['来源', ConsultSource.label(consult.source)],
            ['方式', ConsultType.label(consult.consulttype)],
            ['申请时间', consult.applytime.slice(0, 16)],
            ['预约时间', consult.slotbegin && slotWords(consult.slotbegin, consult.slotend)],
            ['咨询师', consult.counsellorname],
            ['咨询室', consult.room],
            ['困扰', consult.topics.map((code) => ConsultTopic.label(code)).join('、')],
          ]}
        />
        {consult.status === '04' && (
          <p className={classes['quiet']}>
            {consult.cancelby ? `${ConsultActor.label(consult.cancelby)}取消` : '已取消'}
            {consult.cancelreason && `：${consult.cancelreason}`}
          </p>
        )}
        {consult.answers.length > 0 && (
          <dl className={classes['answers']} aria-label={consult.formname}>
            {consult.answers.map(({ c, title, text }) => (
              <div key={c}>
                <dt>{title}</dt>
                <dd>{text || '—'}</dd>
              </div>
            ))}
          </dl>
        )}
        {consult.series.length > 0 && (
          <div>
            <Text size="sm" fw={500} mb={4}>
              每周咨询，共 {consult.series.length + 1} 次
            </Text>
            <ul className={classes['series']}>
              {consult.series.map((other) => (
                <li key={other.consultid}>
                  <Link to={`/registration/registrationForm?view=all&open=${other.consultid}`}>
                    {other.slotbegin ? slotWords(other.slotbegin, null) : '未排时间'}
                  </Link>{' '}
                  {ConsultStatus.label(other.status)}
                </li>
              ))}
            </ul>
          </div>
        )}
      </Stack>
    </Section>
  );
}

/** The shared summary of a finished consultation. */
function Summary({ consult, edit }: { consult: ConsultDetail; edit: () => void }) {
  const { sector } = useUser();
  return (
    <Section
      title="咨询摘要"
      right={
        consult.steps.includes('append') && can(updateConsult) ? (
          <Button size="compact-sm" variant="subtle" onClick={edit}>
            更正
          </Button>
        ) : undefined
      }
    >
      <Stack gap="sm">
        <Facts
          facts={[
            ['到访', consult.attendance && ConsultAttendance.label(consult.attendance)],
            ['当前状态', levelName(consult.currentlevel, sector)],
            ['结果', consult.outcome && ConsultOutcome.label(consult.outcome)],
            ['下次日期', consult.nextdate],
          ]}
        />
        <p className={classes['text']}>{consult.summary || '摘要由有“干预/随访/咨询记录编辑”权限的同事查看'}</p>
      </Stack>
    </Section>
  );
}

/** Books the registration, or gives its booking another time. */
function BookStep({ consult, isMove, onClose }: { consult: ConsultDetail; isMove: boolean; onClose: () => void }) {
  const { consultid, username, musercode, consulttype, counsellor, slotbegin, slotend, room } = consult;
  const booked = isMove && slotbegin && slotend ? { slotbegin: slotbegin.slice(0, 16), slotend: slotend.slice(0, 16), room } : {};
  return (
    <BookDrawer
      of={{ consultid }}
      username={username}
      musercode={musercode}
      isMove={isMove}
      initial={{ consulttype, ...(counsellor && { counsellor }), ...booked }}
      onClose={onClose}
    />
  );
}

function StepForm({ step, consult, onClose }: { step: Step; consult: ConsultDetail; onClose: () => void }) {
  if (step === 'finish') return <FinishDrawer consult={consult} onClose={onClose} />;
  if (step === 'miss') return <MissDrawer consult={consult} onClose={onClose} />;
  if (step === 'append') return <AppendDrawer consult={consult} onClose={onClose} />;
  if (step === 'edit') return <EditDrawer consult={consult} onClose={onClose} />;
  if (step === 'book' || step === 'move') return <BookStep isMove={step === 'move'} consult={consult} onClose={onClose} />;
  return <CancelDrawer consult={consult} onClose={onClose} />;
}
