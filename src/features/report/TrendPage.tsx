import { Anchor, SegmentedControl, Stack, Text } from '@mantine/core';
import type { ChartBand } from '#domain/chart/bands.ts';
import type { ChartLevel } from '#domain/chart/chartLook.ts';
import type { TrendChart as Chart } from '#domain/chart/trendOption.ts';
import { shortTitle } from '#domain/scoring/shortTitle.ts';
import { Gender, MentalState, WarningState } from '#domain/base/enums.ts';
import type { ResponseOf } from '#contract/action.ts';
import { Badge, WarningBadge } from '#ui/display/badges.tsx';
import { LEVEL_COLOURS } from '#ui/charts/scale.ts';
import { Link, useParams, useSearchParams } from '#ui/router/router.tsx';
import { Facts, PageStack, Section } from '#ui/display/Section.tsx';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { getPHQ9ChartsData, trendForms } from '#features/report/report.contract.ts';
import { TrendChart } from '#ui/charts/TrendChart.tsx';
import classes from './report.module.css';

type Trend = ResponseOf<typeof getPHQ9ChartsData>;
type FormCode = (typeof trendForms)[number];
const isForm = (code: string | null): code is FormCode => (trendForms as readonly (string | null)[]).includes(code);

/** The page of one person's scores over time: PHQ-9 and the other forms, the care in between, and the next re-test. */
export default function TrendPage() {
  const { cuserid = '' } = useParams();
  const [params, setParams] = useSearchParams();
  const formParam = params.get('formcode');
  const formcode = isForm(formParam) ? formParam : 'PHQ9';
  const read = useActionQuery(getPHQ9ChartsData, { cuserid, formcode }, { quiet: true });
  return (
    <Loaded read={read} skeleton={<Skeletons.Page />}>
      {(trend) => (
        <PageStack>
          <PersonCard trend={trend} />
          <Section
            title={trend.formname}
            right={
              trend.forms.length > 1 && (
                <SegmentedControl
                  aria-label="量表"
                  value={formcode}
                  onChange={(next) => setParams({ formcode: next }, { replace: true })}
                  data={trend.forms.map((form) => ({
                    value: form.formcode,
                    label: `${shortTitle(form.formname)}（${form.tests} 次）`,
                  }))}
                />
              )
            }
          >
            {trend.points.length === 0 ? (
              <EmptyState title="还没有这份量表的测评" hint="完成一次测评后，这里显示得分随时间的变化" />
            ) : (
              <div className={classes['trend']}>
                <TrendChart chart={chartOf(trend)} />
                <TrendSummary trend={trend} />
              </div>
            )}
          </Section>
          {trend.items.length > 0 && trend.points.length > 0 && (
            <Section title="各题得分">
              <ItemHeatmap trend={trend} />
            </Section>
          )}
        </PageStack>
      )}
    </Loaded>
  );
}

/** The trend as a picture. */
const chartOf = ({ scorename, min, max, bands, points, events }: Trend): Chart => ({
  title: scorename,
  min,
  max,
  bands: bands.map(([from, to, level, label]) => ({ min: from, max: to, level: level as ChartBand['level'], label })),
  points: points.map((point) => ({
    time: point.date,
    score: point.score,
    level: point.level as ChartLevel,
    levelname: point.levelname,
    valid: point.valid === 1,
    ring: point.ring === 1,
    occasion: point.stagename || point.planname,
  })),
  events,
});

function PersonCard({ trend: { cuser } }: { trend: Trend }) {
  return (
    <Section>
      <Facts
        facts={[
          ['姓名', cuser.username],
          ['性别与年龄', `${Gender.label(cuser.gender)}${cuser.age === null ? '' : `，${cuser.age} 岁`}`],
          ['所属', cuser.belongs || cuser.insname],
          ['情绪状态', MentalState.label(cuser.mentalstate)],
          [
            '预警',
            cuser.warning ? (
              <Anchor component={Link} key="warning" to={`/earlyWarning/case/${cuser.warning.warningcode}`}>
                <WarningBadge level={cuser.warning.level} /> {WarningState.label(cuser.warning.state)}
              </Anchor>
            ) : (
              '无进行中的预警'
            ),
          ],
        ]}
      />
    </Section>
  );
}

function TrendSummary({ trend: { change, nextretest, points, better, recall, cutoffnote } }: { trend: Trend }) {
  const last = points.at(-1);
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
              '至少两次有效测评后显示'
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
        圆点颜色与文字为当次等级；红圈表示有条目提示；空心点为无效作答，不参与比较；虚线为干预或转介。
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

/** Renders items × tests. The cell shows the score as a number; its shade repeats the number. */
function ItemHeatmap({ trend: { items, points } }: { trend: Trend }) {
  return (
    <div className={classes['scroll']} tabIndex={0} role="region" aria-label="各题得分">
      <table className={classes['heat']}>
        <thead>
          <tr>
            <th scope="col">题目</th>
            {points.map((point) => (
              <th key={point.examcode} scope="col">
                {point.date.slice(2, 10)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item.no}>
              <th scope="row">
                {item.no}. {item.title || `第 ${item.no} 题`}
              </th>
              {item.values.map((value, index) => (
                <td
                  key={index}
                  style={{
                    background: value
                      ? `color-mix(in srgb, ${LEVEL_COLOURS[3]} ${Math.round((value / (item.max || 1)) * 62)}%, var(--surface))`
                      : 'var(--surface-2)',
                  }}
                >
                  {value ?? '—'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
