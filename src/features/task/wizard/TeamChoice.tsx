import { Button, Checkbox, Group, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ResponseOf } from '#contract/action.ts';
import { EmptyState } from '#ui/feedback/states.tsx';
import type { getAssessTaskTeams } from '#features/task/task.contract.ts';
import classes from '#features/task/task.module.css';

type Team = ResponseOf<typeof getAssessTaskTeams>[number];

/** Teams to tick, by grade, with members and how many agreed already. */
export function TeamChoice({
  teams,
  chosen,
  onChange,
}: {
  teams: readonly Team[];
  chosen: readonly string[];
  onChange: (next: string[]) => void;
}) {
  const [word, setWord] = useState('');
  const heldChosen = new Set(chosen);
  const shownTeams = teams.filter((team) => `${team.teamname}${team.gradename}${team.ownername}`.includes(word.trim()));
  const grades = [...new Set(shownTeams.map((team) => team.gradename || '其他'))];
  const turn = (codes: readonly string[], on: boolean) => {
    const next = new Set(chosen);
    for (const code of codes)
      if (on) next.add(code);
      else next.delete(code);
    onChange([...next]);
  };
  const people = teams.filter((team) => heldChosen.has(team.teamcode)).reduce((sum, team) => sum + team.membercount, 0);
  if (!teams.length) return <EmptyState title="还没有团体" hint="请先到团体管理新建团体或导入名单" />;
  return (
    <>
      <Group justify="space-between" mb="xs" gap="xs">
        <TextInput
          aria-label="查找团体"
          placeholder="查找团体、年级、负责人"
          value={word}
          onChange={(event) => setWord(event.currentTarget.value)}
        />
        <Text size="sm" role="status">
          已选 {heldChosen.size} 个团体，约 {people.toLocaleString('zh-CN')} 人
        </Text>
      </Group>
      {grades.map((grade) => {
        const group = shownTeams.filter((team) => (team.gradename || '其他') === grade);
        const codes = group.filter((team) => team.membercount > 0).map((team) => team.teamcode);
        const all = codes.length > 0 && codes.every((code) => heldChosen.has(code));
        return (
          <fieldset key={grade} style={{ border: 0, margin: 0, padding: '8px 0' }}>
            <Group component="legend" gap="xs" mb={6}>
              <Text fw={500}>{grade}</Text>
              <Button size="compact-xs" variant="subtle" onClick={() => turn(codes, !all)}>
                {all ? '取消全选' : '全选'}
              </Button>
            </Group>
            <div className={classes['teams']}>
              {group.map((team) => (
                <label key={team.teamcode} className={classes['team']} data-chosen={heldChosen.has(team.teamcode)}>
                  <Checkbox
                    checked={heldChosen.has(team.teamcode)}
                    disabled={team.membercount === 0}
                    onChange={(event) => turn([team.teamcode], event.currentTarget.checked)}
                    aria-label={team.teamname}
                  />
                  <span style={{ minWidth: 0 }}>
                    <span>{team.teamname}</span>
                    <br />
                    <span className={classes['quiet']}>
                      {team.membercount ? `${team.membercount} 人 · 已同意 ${team.consented}` : '暂无成员'}
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
      {shownTeams.length === 0 && <EmptyState title="没有符合条件的团体" />}
    </>
  );
}
