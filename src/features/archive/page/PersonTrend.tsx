import { useState } from 'react';
import { useActionQuery } from '#ui/api/useAction.ts';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { TrendSection, type TrendChoice } from '#blocks/trend/TrendSection.tsx';
import { getPHQ9ChartsData } from '#features/trend/trend.contract.ts';

/** 得分变化: one form of the person over time, the same as on the trend page. */
export function PersonTrend({ cuserid }: { cuserid: string }) {
  const [choice, setChoice] = useState<TrendChoice>();
  const read = useActionQuery(getPHQ9ChartsData, { cuserid, ...choice }, { quiet: true });
  return (
    <Loaded read={read} skeleton={<Skeletons.Page />}>
      {(trend) => (trend.forms.length === 0 ? null : <TrendSection title="得分变化" trend={trend} onChoose={setChoice} />)}
    </Loaded>
  );
}
