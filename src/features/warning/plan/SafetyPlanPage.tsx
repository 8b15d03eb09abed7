import { Button, Group } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { Link, useParams } from '#ui/router/router.tsx';
import { describeMeans, MeansStatus, PlanMeans } from '#domain/warning/safetyPlan.ts';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import type { ResponseOf } from '#contract/action.ts';
import { getSafetyPlan } from '#features/warning/plan/plan.contract.ts';
import classes from './planSheet.module.css';

/** The safety plan on A5 paper for the person. It has their own words and telephone numbers, and no result of an assessment. */
export default function SafetyPlanPage() {
  const { planid = '' } = useParams();
  const read = useActionQuery(getSafetyPlan, { planid: Number(planid) }, { quiet: true });
  return (
    <Loaded read={read} skeleton={<Skeletons.Page />}>
      {(plan) => (
        <>
          <Group mb="md" gap="sm" justify="center" data-noprint>
            <Button variant="default" component={Link} to={`/earlyWarning/case/${plan.warningcode}`}>
              返回
            </Button>
            <Button leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => window.print()}>
              打印（A5）
            </Button>
          </Group>
          {plan.gaps.length > 0 && (
            <p className={classes['note']} data-noprint>
              这份计划还没有写全：{plan.gaps.join('、')}。可以先打印，补全后再给本人一份新的。
            </p>
          )}
          <Sheet plan={plan} />
        </>
      )}
    </Loaded>
  );
}

function Sheet({ plan }: { plan: ResponseOf<typeof getSafetyPlan> }) {
  const helpers = plan.helpers.filter(({ issuspect }) => issuspect !== 1);
  // A kind of means that is not there helps nobody on paper.
  const means = plan.means.filter(({ status }) => status !== MeansStatus.none);
  return (
    <article className={classes['sheet']} lang="zh-CN">
      <h1>我的安全计划</h1>
      <p className={classes['lead']}>难受的时候，从上往下一条一条试。哪一步都可以直接打电话。</p>
      <Words title="这些信号提醒我：该用这份计划了" text={plan.warningsigns} />
      <Words title="我自己能做的事" text={plan.coping} />
      <Words title="让我分心的人和地方" text={plan.distractions} />
      {helpers.length > 0 && (
        <section>
          <h2>我可以求助的人</h2>
          <ul className={classes['phones']}>
            {helpers.map((helper, index) => (
              <li key={index}>
                <span>
                  {helper.name}
                  {helper.relation && <small>（{helper.relation}）</small>}
                </span>
                <strong>{helper.phonenumber}</strong>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <h2>专业帮助</h2>
        <ul className={classes['phones']}>
          {plan.services.map((service, index) => (
            <li key={index}>
              <span>
                {service.name}
                {service.hours && <small> {service.hours}</small>}
              </span>
              <strong>{service.phonenumber}</strong>
            </li>
          ))}
          <li>
            <span>
              现在就有危险 <small>24 小时</small>
            </span>
            <strong>120 · 110</strong>
          </li>
        </ul>
      </section>
      {means.length > 0 && (
        <section>
          <h2>让身边更安全</h2>
          <ul className={classes['lines']}>
            {means.map((row) => (
              <li key={row.kind}>
                {row.kind === PlanMeans.named && row.note ? row.note : PlanMeans.label(row.kind)}：
                {row.status === MeansStatus.open ? '请信任的人帮忙收好' : describeMeans(row)}
              </li>
            ))}
          </ul>
        </section>
      )}
      <Words title="对我重要的人和事" text={plan.importantthings} />
      <footer className={classes['foot']}>
        <div>
          {plan.insname}
          {plan.contactphone && ` · ${plan.contactname} ${plan.contactphone}`}
        </div>
        <div>
          {plan.time.slice(0, 10)} 写下{plan.reviewdate && ` · ${plan.reviewdate} 再看一次`}
        </div>
      </footer>
    </article>
  );
}

function Words({ title, text }: { title: string; text: string }) {
  if (text === '') return null;
  return (
    <section>
      <h2>{title}</h2>
      <p className={classes['words']}>{text}</p>
    </section>
  );
}
