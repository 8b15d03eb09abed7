import { Button, Text } from '@mantine/core';
import { Badge } from '#ui/display/badges.tsx';
import { Clock } from '#ui/display/Clock.tsx';
import { confirm } from '#ui/feedback/confirm.tsx';
import { can } from '#ui/api/session.ts';
import { useActionMutation } from '#ui/api/useAction.ts';
import { askSecond, withdrawSecondRequest } from '#features/warning/second/second.contract.ts';
import type { RequestView } from '#features/warning/second/seconds.contract.ts';
import type { Step } from '#features/warning/handling/StepDrawer.tsx';
import { toInstant } from '#features/warning/case.labels.ts';
import type { FullCase, WarningDetail } from '#features/warning/warning.contract.ts';
import classes from '#features/warning/warning.module.css';

interface Props {
  detail: WarningDetail;
  full: FullCase;
  startStep: (step: Step) => void;
}

const UNASKED = {
  exempt: '不告知监护人的登记还没有人复核，复核前不生效。',
  conclusion: '低于系统建议的评估结论还没有人复核，复核前按系统建议处理。',
} as const;

/** The requests to a second person that wait or came back, and recorded decisions without a request. */
export function RequestPanel({ detail, full, startStep }: Props) {
  if (full.requests.length === 0 && full.unasked.length === 0) return null;
  return (
    <>
      {full.requests.map((request) =>
        request.status === '01' ? (
          <WaitingRequest key={request.requestid} request={request} detail={detail} startStep={startStep} />
        ) : (
          <section key={request.requestid} className={classes['request']} data-tone="back" aria-label="复核结果">
            <div className={classes['line']}>
              <h2>{`复核${request.status === '05' ? '已失效' : '已退回'}：${request.title}`}</h2>
              <span className={classes['quiet']}>
                {[request.status === '05' ? '' : request.answername, request.answertime?.slice(5, 16)]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </div>
            <p className={classes['words']}>{request.answer}</p>
          </section>
        ),
      )}
      {can(askSecond) &&
        full.unasked.map((subject) => (
          <section key={subject} className={classes['request']} data-tone="back" aria-label="尚未申请复核">
            <p className={classes['words']}>{UNASKED[subject]}</p>
            <div className={classes['doing']}>
              <Button size="sm" variant="light" onClick={() => startStep({ kind: 'asksecond', subject })}>
                申请复核
              </Button>
            </div>
          </section>
        ))}
    </>
  );
}

function WaitingRequest({ request, detail, startStep }: { request: RequestView } & Omit<Props, 'full'>) {
  const withdraw = useActionMutation(withdrawSecondRequest, { successMessage: '已撤回' });
  const { requestid, title, summary, askname, asktime, duetime, persons, mine, answerable } = request;
  const { warningcode, version } = detail;
  const takeBack = async () => {
    if (await confirm({ text: `撤回“${title}”的复核申请？撤回后可以重新申请。`, yes: '撤回' }))
      withdraw.mutate({ warningcode, version, requestid });
  };
  return (
    <section
      className={classes['request']}
      data-tone={answerable ? 'ask' : 'wait'}
      aria-label={answerable ? '请您复核' : '等待复核'}
    >
      <div className={classes['line']}>
        <h2>{`${answerable ? '请您复核' : '等待复核'}：${title}`}</h2>
        {mine === 1 && <Badge tone="gray">我申请的</Badge>}
        <Clock deadline={toInstant(duetime)} />
      </div>
      <p className={classes['words']}>{summary}</p>
      <Text size="sm" c="dimmed">
        {`${askname} 于 ${asktime.slice(5, 16)} 申请`}
        {!answerable && persons.length > 0 && `，等待 ${persons.join('、')}`}
        {answerable === 1 && '。请先看过记录、作答和访谈，独立判断；同意后立即办理。'}
      </Text>
      <div className={classes['doing']} data-noprint>
        {answerable === 1 && (
          <>
            <Button size="md" onClick={() => startStep({ kind: 'agreesecond', id: requestid })}>
              同意
            </Button>
            <Button size="md" variant="default" onClick={() => startStep({ kind: 'returnsecond', id: requestid })}>
              退回
            </Button>
          </>
        )}
        {mine === 1 && (
          <Button size="sm" variant="default" loading={withdraw.isPending} onClick={() => void takeBack()}>
            撤回申请
          </Button>
        )}
      </div>
    </section>
  );
}
