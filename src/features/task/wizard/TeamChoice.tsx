import { Button, Checkbox, Group, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { formatNumber } from '#domain/base/number.ts';
import type { ResponseOf } from '#contract/action.ts';
import { EmptyState } from '#ui/feedback/states.tsx';
import type { getAssessTaskTeams } from '#features/task/task.contract.ts';
import classes from '#features/task/task.module.css';

type Team = ResponseOf<typeof getAssessTaskTeams>[number];

/** Lets the user choose teams by grade; shows the members of each and how many have consented. */
export function TeamChoice({
  teams,
  chosen,
  fault,
  onChange,
}: {
  teams: readonly Team[];
  chosen: readonly string[];
  fault?: string | undefined;
  onChange: (next: string[]) => void;
}) {
  const [word, setWord] = useState('');
  const chosenCodes = new Set(chosen);
  const visibleTeams = teams.filter((team) => `${team.teamname}${team.gradename}${team.ownername}`.includes(word.trim()));
  const grades = [...new Set(visibleTeams.map((team) => team.gradename || '其他'))];
  const setChosen = (codes: readonly string[], isChosen: boolean) => {
    const next = new Set(chosen);
    for (const code of codes)
      if (isChosen) next.add(code);
      else next.delete(code);
    onChange([...next]);
  };
  const memberCount = teams.filter((team) => chosenCodes.has(team.teamcode)).reduce((sum, team) => sum + team.membercount, 0);
  if (!teams.length) return <EmptyState title="还没有团体" hint="请先到团体管理新建团体或导入名单" />;
  return (
    <>
      <Group justify="space-between" mb="xs" gap="xs">
        <TextInput
          id="task-teamcodes"
          error={fault}
          aria-label="查找团体"
          placeholder="查找团体、年级、负责人"
          value={word}
          onChange={(event) => setWord(event.currentTarget.value)}
        />
        <Text size="sm" role="status">
          已选 {chosenCodes.size} 个团体，约 {formatNumber(memberCount)} 人
        </Text>
      </Group>
      {grades.map((grade) => {
        const group = visibleTeams.filter((team) => (team.gradename || '其他') === grade);
        const codes = group.filter((team) => team.membercount > 0).map((team) => team.teamcode);
        const isAllChosen = codes.length > 0 && codes.every((code) => chosenCodes.has(code));
        return (
          <fieldset key={grade} style={{ border: 0, margin: 0, padding: '8px 0' }}>
            <Group component="legend" gap="xs" mb={6}>
              <Text fw={500}>{grade}</Text>
              <Button size="compact-xs" variant="subtle" onClick={() => setChosen(codes, !isAllChosen)}>
                {isAllChosen ? '取消全选' : '全选'}
              </Button>
            </Group>
            <div className={classes['teams']}>
              {group.map((team) => (
                <label key={team.teamcode} className={classes['team']} data-chosen={chosenCodes.has(team.teamcode)}>
                  <Checkbox
                    checked={chosenCodes.has(team.teamcode)}
                    disabled={team.membercount === 0}
                    onChange={(event) => setChosen([team.teamcode], event.currentTarget.checked)}
                    aria-label={team.teamname}
                  />
                  <span style={{ minWidth: 0 }}>
                    <span>{team.teamname}</span>
                    <br />
                    <span className={classes['quiet']}>
                      {team.membercount
                        ? `${formatNumber(team.membercount)} 人 · 已同意 ${formatNumber(team.consented)}`
                        : '暂无成员'}
                      {team.ownername && ` · ${team.ownername}`}
                      {team.year && ` · ${team.year}`}
                    </span>
                  </span>
                </label>
              ))}
            </div>
          </fieldset>
        );
      })}
      {visibleTeams.length === 0 && <EmptyState title="没有符合条件的团体" />}
    </>
  );
}
