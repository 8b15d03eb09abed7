import { Button } from '@mantine/core';
import { IconExternalLink, IconPrinter } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Gender, WarningSource, WarningState } from '#domain/base/enums.ts';
import { EnumBadge, WarningBadge } from '#ui/display/badges.tsx';
import { EventTimeline } from '#ui/display/EventTimeline.tsx';
import { PersonName } from '#ui/display/PersonName.tsx';
import { Link } from '#ui/router/router.tsx';
import { Facts, Section } from '#ui/display/Section.tsx';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { can } from '#ui/api/session.ts';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { getNoticePageList, getUnreadCount, readNotice } from '#features/notice/notice.contract.ts';
import { CaseClocks } from '#features/warning/cases/CaseClocks.tsx';
import { casePath } from '#features/warning/list/caseSequence.ts';
import { CaseMoves } from '#features/warning/list/CaseMoves.tsx';
import { CaseParts } from '#features/warning/cases/CaseParts.tsx';
import { DueClock } from '#features/warning/DueClock.tsx';
import { EmergencyCard } from '#features/warning/cases/EmergencyCard.tsx';
import { NextStep } from '#features/warning/cases/NextStep.tsx';
import { QuickNote } from '#features/warning/note/QuickNote.tsx';
import { RequestPanel } from '#features/warning/second/RequestPanel.tsx';
import { insertWarningLog } from '#features/warning/handling/handling.contract.ts';
import { StepDrawer, type Step } from '#features/warning/handling/StepDrawer.tsx';
import { getWarningDetail, type FullCase, type WarningDetail } from '#features/warning/warning.contract.ts';
import { STATE_TONES, toInstant } from '#features/warning/case.labels.ts';
import classes from '#features/warning/warning.module.css';

/** Marks the reader's messages about a case as read once the case is on the screen, so that no reminder follows. */
function useReadNotices(warningcode: string, isShown: boolean) {
  const unread = useActionQuery(getUnreadCount, {}, { quiet: true }).data;
  const hasUnread = unread !== undefined && unread.count + unread.waiting > 0;
  const { mutate } = useActionMutation(readNotice, { invalidates: [getUnreadCount, getNoticePageList] });
  const shouldMark = isShown && hasUnread && can(readNotice);
  useEffect(() => {
    if (shouldMark) mutate({ warningcode });
  }, [shouldMark, mutate, warningcode]);
}

/** One case from its header to its history, on a page or beside the list (`narrow`). */
export function CaseView({
  warningcode,
  narrow = false,
  onStep,
  onMove,
}: {
  warningcode: string;
  narrow?: boolean;
  onStep?: (open: boolean) => void;
  /** shows the case above or below in the list */
  onMove: (warningcode: string) => void;
}) {
  // Reloads every 15 seconds, so that the steps of other handlers appear.
  const read = useActionQuery(getWarningDetail, { warningcode }, { every: 15_000, quiet: true });
  const [step, setStep] = useState<Step>();
  useReadNotices(warningcode, read.data !== undefined);
  const isEntering = step !== undefined;
  useEffect(() => onStep?.(isEntering), [isEntering, onStep]);
  return (
    <Loaded read={read} skeleton={<Skeletons.Page />}>
      {(detail) => (
        <div className={classes['case']} data-narrow={narrow}>
          <div className={classes['top']}>
            {detail.full && needsEmergencyCard(detail, detail.full) && <EmergencyCard isCrisis={detail.level === 4} />}
            <CaseHeader detail={detail} narrow={narrow} onMove={onMove} />
          </div>
          {detail.full ? (
            <>
              <div className={classes['main']}>
                <RequestPanel detail={detail} full={detail.full} startStep={setStep} />
                <NextStep detail={detail} full={detail.full} startStep={setStep} />
                {can(insertWarningLog) && (
                  <QuickNote key={detail.warningcode} detail={detail} isAlive={!detail.full.death} startStep={setStep} />
                )}
                <CaseClocks full={detail.full} startStep={setStep} />
                <CaseParts detail={detail} full={detail.full} startStep={setStep} />
              </div>
              <div className={classes['side']}>
                <Section title="处置记录">
                  <History full={detail.full} />
                </Section>
              </div>
              {step && (
                <StepDrawer
                  key={`${step.kind}${'id' in step ? step.id : ''}`}
                  step={step}
                  detail={detail}
                  full={detail.full}
                  onClose={() => setStep(undefined)}
                />
              )}
            </>
          ) : (
            <BriefCase detail={detail} />
          )}
        </div>
      )}
    </Loaded>
  );
}

/** The card of emergency numbers stands on open cases of level 4, and from level 3 while the person cannot be reached. */
const needsEmergencyCard = ({ level, state }: WarningDetail, { clocks }: FullCase): boolean =>
  state !== '07' && state !== '08' && (level === 4 || ((level ?? 0) >= 3 && clocks.some(({ kind }) => kind === 'contact')));

/** The title of the duty that is due first. */
const findDutyTitle = ({ duties }: FullCase): string | undefined =>
  duties.filter(({ donetime }) => donetime === null).sort((a, b) => a.duetime.localeCompare(b.duetime))[0]?.title;

const STEPS = [
  { name: '受理', states: ['01'] },
  { name: '核实', states: ['02'] },
  { name: '评估', states: ['03'] },
  { name: '干预/转介', states: ['04', '05'] },
  { name: '随访观察', states: ['06'] },
  { name: '结案', states: ['07', '08'] },
];

function CaseHeader({
  detail,
  narrow,
  onMove,
}: {
  detail: WarningDetail;
  narrow: boolean;
  onMove: (warningcode: string) => void;
}) {
  const position = STEPS.findIndex((step) => step.states.includes(detail.state));
  const isClosed = detail.state === '07' || detail.state === '08';
  return (
    <Section>
      <div className={classes['head']}>
        <div>
          <h1>
            <PersonName value={detail.username} />
          </h1>
          <div className={classes['line']} style={{ marginTop: 6 }}>
            <WarningBadge level={detail.level} name={detail.levelname} />
            <EnumBadge of={WarningState} code={detail.state} tones={STATE_TONES} />
            {!isClosed && detail.full && <DueClock row={detail} dutyTitle={findDutyTitle(detail.full)} />}
          </div>
        </div>
        <div className={classes['line']} data-noprint>
          <CaseMoves warningcode={detail.warningcode} onMove={onMove} />
          {narrow ? (
            <Button
              component={Link}
              to={casePath(detail.warningcode)}
              variant="default"
              size="xs"
              leftSection={<IconExternalLink size={14} aria-hidden />}
            >
              整页打开
            </Button>
          ) : (
            <Button variant="default" size="xs" leftSection={<IconPrinter size={14} aria-hidden />} onClick={() => print()}>
              打印
            </Button>
          )}
        </div>
      </div>
      <div style={{ height: 14 }} />
      <Facts
        facts={[
          [
            '性别 / 年龄',
            [Gender.label(detail.gender), detail.age !== null && `${detail.age} 岁`, detail.full?.minor && '未成年']
              .filter(Boolean)
              .join(' · '),
          ],
          ['班级/单位', detail.belongs],
          ['机构', detail.insname],
          ['责任人', <Owner key="owner" detail={detail} />],
          ...(detail.full
            ? ([
                ['来源', WarningSource.label(detail.source)],
                ['触发时间', detail.createtime.slice(0, 16)],
                ['预警编号', detail.warningcode],
              ] as const)
            : []),
        ]}
      />
      {detail.full && (
        <ol className={classes['steps']} aria-label="处置进度">
          {STEPS.map((step, index) => (
            <li
              key={step.name}
              className={classes['step']}
              data-at={isClosed || index < position ? 'done' : index === position ? 'now' : undefined}
              aria-current={index === position ? 'step' : undefined}
            >
              {step.name}
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}

/** The owner with the own telephone: at night somebody else may have to reach them. */
const Owner = ({ detail: { ownername, ownerphone } }: { detail: WarningDetail }) => (
  <>
    {ownername || '未分派'}
    {ownerphone && (
      <>
        {' '}
        <a href={`tel:${ownerphone}`}>{ownerphone}</a>
      </>
    )}
  </>
);

/** The case for a class teacher: a student needs attention, and the telephone number of the owner. */
function BriefCase({ detail }: { detail: WarningDetail }) {
  return (
    <div className={classes['main']} style={{ gridColumn: '1 / -1' }}>
      <Section title="请关注">
        <EmptyState
          title={detail.ownername ? `请尽快与 ${detail.ownername} 联系` : '请尽快与学校心理老师联系'}
          hint="请在日常中多留意、多陪伴，不公开谈论，不追问作答内容；如有现实危险，不要让学生独处，并立即报告。"
        >
          {detail.ownerphone && (
            <Button component="a" href={`tel:${detail.ownerphone}`}>
              拨打 {detail.ownerphone}
            </Button>
          )}
        </EmptyState>
      </Section>
    </div>
  );
}

const RED = ['新建', '升级', '新情况', '超时提醒', '强制报告', '重开', '登记死亡'];
function History({ full }: { full: FullCase }) {
  return (
    <EventTimeline
      label="处置记录"
      events={full.logs.map((log) => ({
        key: log.logid,
        at: new Date(toInstant(log.time) ?? 0).toISOString(),
        title:
          log.fromstate && log.tostate && log.fromstate !== log.tostate
            ? `${log.action}：${WarningState.label(log.fromstate)} → ${WarningState.label(log.tostate)}`
            : log.action,
        who: `${log.operatorname} · ${log.time.slice(5, 16)}`,
        body: log.content,
        tone: RED.includes(log.action) ? ('red' as const) : log.operatorname === '系统' ? ('gray' as const) : ('brand' as const),
      }))}
    />
  );
}
