import { levelName } from '#domain/warning/levels.ts';
import { Group } from '@mantine/core';
import { AsqResult } from '#domain/warning/asqTriage.ts';
import { findChoiceLabel, RISK_FLAGS } from '#domain/warning/riskassess.ts';
import { Badge, LevelBadge } from '#ui/display/badges.tsx';
import type { FullCase } from '#features/warning/warning.contract.ts';
import classes from '#features/warning/warning.module.css';

/** One interview of a case: conclusion, suggestion, findings. It says when a second person or a part of the ASQ is missing. */
export function AssessItem({ assess, sector }: { assess: FullCase['assesses'][number]; sector: string }) {
  const isPending = assess.lowreason !== '' && assess.confirmed === '';
  return (
    <>
      <Group gap="xs">
        <LevelBadge level={assess.conclusionlevel} label={`结论 ${levelName(assess.conclusionlevel, sector)}`} />
        {isPending && (
          <Badge tone="red" shape={2}>
            {`待第二人复核，复核前按“${levelName(assess.effectivelevel, sector)}”处理`}
          </Badge>
        )}
        {assess.isfinished === 0 && <Badge tone="amber">评估未完成</Badge>}
        <span className={classes['quiet']}>
          系统建议：{levelName(assess.suggestedlevel, sector)} · {assess.assessorname} · {assess.time.slice(0, 16)}
        </span>
      </Group>
      <div style={{ marginTop: 4 }}>
        意念：{findChoiceLabel('ideation', assess.ideation)}；既往：
        {findChoiceLabel('attempthistory', assess.attempthistory)}
        ；支持：
        {findChoiceLabel('support', assess.support)}
        {RISK_FLAGS.filter(([key]) => assess[key] === 1).map(([, label]) => `；${label}`)}
        {assess.infantharm === 1 && '；有伤害婴儿的想法'}
        {assess.protective.length > 0 && `；保护因素：${assess.protective.join('、')}`}
      </div>
      {assess.asq && (
        <div className={classes['quiet']}>
          ASQ{assess.asqresult && ` ${AsqResult.label(assess.asqresult)}`}：{assess.asq}
        </div>
      )}
      {assess.asqskipreason && <div className={classes['quiet']}>未询问 ASQ：{assess.asqskipreason}</div>}
      {assess.lowreason && (
        <div style={{ whiteSpace: 'pre-line' }}>
          低于系统建议的理由：{assess.lowreason}
          {assess.confirmed && <span className={classes['quiet']}> 复核：{assess.confirmed}</span>}
        </div>
      )}
      {assess.note && <div style={{ whiteSpace: 'pre-line' }}>{assess.note}</div>}
      {assess.abuse === 1 && (
        <Badge tone="red" shape={2}>
          疑似侵害：须立即向公安机关报告
        </Badge>
      )}
    </>
  );
}
