import { Anchor, Select, Stack, Text } from '@mantine/core';
import { BREAK_WORDS } from '#domain/scoring/majorVersion.ts';
import { shortTitle } from '#domain/scoring/shortTitle.ts';
import { TrendChart } from '#ui/charts/TrendChart.tsx';
import { Badge } from '#ui/display/badges.tsx';
import { Facts, Section } from '#ui/display/Section.tsx';
import { EmptyState } from '#ui/feedback/states.tsx';
import { Link } from '#ui/router/router.tsx';
import { chartOfTrend, type Trend } from '#blocks/trend/chartOfTrend.ts';
import classes from './trend.module.css';

export interface TrendChoice {
  formcode: string;
  scorecode?: string;
}
interface Props {
  trend: Trend;
  /** the heading; the name of the form when absent */
  title?: string;
  onChoose: (choice: TrendChoice) => void;
}

/** The scores of one form over time, with the choice among the forms that the person answered. */
export function TrendSection({ trend, title, onChoose }: Props) {
  const { formcode, forms, scores, scorecode } = trend;
  return (
    <Section
      title={title ?? trend.formname}
      right={
        <>
          {forms.length > 1 && (
            <Select
              aria-label="量表"
              w={240}
              value={formcode}
              allowDeselect={false}
              onChange={(next) => next && onChoose({ formcode: next })}
              data={forms.map((form) => ({ value: form.formcode, label: `${shortTitle(form.formname)}（${form.tests} 次）` }))}
            />
          )}
          {scores.length > 1 && (
            <Select
              aria-label="指标"
              w={160}
              value={scorecode}
              allowDeselect={false}
              onChange={(next) => next && onChoose({ formcode, scorecode: next })}
              data={scores.map((score) => ({ value: score.scorecode, label: score.scorename }))}
            />
          )}
        </>
      }
    >
      {trend.points.length === 0 ? (
        <EmptyState title="还没有这份量表的测评" hint="完成一次测评后，这里显示得分随时间的变化" />
      ) : (
        <div className={classes['trend']}>
          <TrendChart chart={chartOfTrend(trend)} />
          <TrendSummary trend={trend} />
        </div>
      )}
    </Section>
  );
}

function TrendSummary({ trend: { change, nextretest, points, better, recall, cutoffnote } }: { trend: Trend }) {
  const last = points.at(-1);
  const noChange = points.some(({ isbreak }) => isbreak === 1) ? BREAK_WORDS : '至少两次有效测评后显示';
  return (
    <Stack gap="md" align="flex-start">
      <Facts
        facts={[
          [
            '最近变化',
            change ? (
              <span key="change">
                {change.from} → {change.to} 分，{change.label}
                {change.delta !== 0 && `（${change.delta > 0 ? '+' : ''}${change.delta}）`}
              </span>
            ) : (
              noChange
            ),
          ],
          ['参考期', recall],
          ['下次复测', nextretest ?? '未安排'],
          ['测评次数', `${points.length} 次`],
          [
            '最近报告',
            last?.reportcode ? (
              <Anchor component={Link} fz={14} key="report" to={`/report/${last.reportcode}`}>
                {last.date.slice(0, 10)} 的报告
              </Anchor>
            ) : (
              '—'
            ),
          ],
        ]}
      />
      {change && <ChangeValues change={change} />}
      <Text size="xs" c="dimmed">
        圆点颜色与文字为当次等级；红圈表示有条目提示；空心点为无效作答，不参与比较；虚线为干预、转介或版本变更。
        {better === 'high' ? '得分越高越好。' : '得分越低越好。'}
        {cutoffnote}
      </Text>
    </Stack>
  );
}

/** Renders each published change value with its kind and source, or says that none is published. */
function ChangeValues({ change: { values, meaning, changetext } }: { change: NonNullable<Trend['change']> }) {
  if (values.length === 0) return <Badge tone="gray">{changetext}</Badge>;
  const reachedTone = meaning === 'better' ? 'green' : 'orange';
  return (
    <Stack gap={6} align="flex-start" component="ul" className={classes['values']} aria-label="公布的变化界值">
      {values.map(({ kind, points, isreached, words, source, reference }) => (
        <li key={kind}>
          <Badge tone={isreached ? reachedTone : 'gray'}>{words}</Badge>
          <Text size="xs" c="dimmed" title={reference}>
            {kind} {points} 分，{source}
          </Text>
        </li>
      ))}
    </Stack>
  );
}
