import { Anchor } from '@mantine/core';
import { Gender, MentalState, WarningState } from '#domain/base/enums.ts';
import { WarningBadge } from '#ui/display/badges.tsx';
import { LEVEL_COLOURS } from '#ui/charts/scale.ts';
import { Link, useParams, useSearchParams } from '#ui/router/router.tsx';
import { Facts, PageStack, Section } from '#ui/display/Section.tsx';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import type { Trend } from '#blocks/trend/chartOfTrend.ts';
import { TrendSection } from '#blocks/trend/TrendSection.tsx';
import { getPHQ9ChartsData } from '#features/trend/trend.contract.ts';
import classes from './trend.module.css';

/** The page of one person's scores over time: every form that the person answered, the care in between, and the next re-test. */
export default function TrendPage() {
  const { cuserid = '' } = useParams();
  const [params, setParams] = useSearchParams();
  const [formcode, scorecode] = [params.get('formcode'), params.get('scorecode')];
  const choice = { ...(formcode && { formcode }), ...(scorecode && { scorecode }) };
  const read = useActionQuery(getPHQ9ChartsData, { cuserid, ...choice }, { quiet: true });
  return (
    <Loaded read={read} skeleton={<Skeletons.Page />}>
      {(trend) => (
        <PageStack>
          <PersonCard trend={trend} />
          <TrendSection trend={trend} onChoose={(next) => setParams({ ...next }, { replace: true })} />
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
