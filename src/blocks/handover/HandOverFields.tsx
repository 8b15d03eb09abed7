import { Alert, Select, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import type { ResponseOf } from '#contract/action.ts';
import { pathOf } from '#contract/menu.ts';
import { WarningBadge } from '#ui/display/badges.tsx';
import { gravePhrase } from '#domain/warning/levels.ts';
import { Link } from '#ui/router/router.tsx';
import { hasPermission, useUser } from '#ui/api/session.ts';
import type { getHandover } from '#features/warning/handover/handover.contract.ts';
import classes from './handover.module.css';

type Handover = ResponseOf<typeof getHandover>;
/** The receiver of each case, by its code. */
export type Choices = Readonly<Record<string, string>>;

/** The hand-overs of a call: only cases with a receiver. */
export const toHandovers = ({ cases }: Handover, choices: Choices) =>
  cases.flatMap(({ warningcode }) => {
    const owneruserid = choices[warningcode];
    return owneruserid ? [{ warningcode, owneruserid }] : [];
  });

/** The person of a case, or its code for staff who do not read cases. */
const nameOf = ({ username, warningcode }: Handover['cases'][number]) => username || `个案 ${warningcode}`;

/** Whether every open case has a receiver. */
export const isComplete = (handover: Handover, choices: Choices) =>
  toHandovers(handover, choices).length === handover.cases.length;

interface Props {
  handover: Handover;
  choices: Choices;
  setChoices: (choices: Choices) => void;
  /** Shows the missing receivers after a first attempt to submit. */
  error: boolean;
}

/** Chooses who takes the open cases of a person who leaves: one receiver for all, or one for each case. */
export function HandOverFields({ handover, choices, setChoices, error }: Props) {
  const { sector } = useUser();
  const [isEach, setIsEach] = useState(false);
  const { cases, receivers } = handover;
  if (cases.length === 0) return null;
  if (receivers.length === 0)
    return (
      <Alert color="red" title={`还有 ${cases.length} 个在办预警，暂无可以接收的人员`}>
        接收人须是本机构或上级服务商中有“预警处置”权限、未外出的具名账号。请先增加人员，或联系服务商协助。
      </Alert>
    );
  const options = receivers.map((item) => ({
    value: item.userid,
    label: [
      item.isabove ? `${item.realname}（${item.insname}）` : item.realname,
      item.onduty ? '值班中' : '',
      `在办 ${item.opencases} 个`,
    ]
      .filter(Boolean)
      .join(' · '),
  }));
  const codes = new Set(cases.map((item) => choices[item.warningcode] ?? ''));
  const [common = ''] = codes.size === 1 ? codes : [];
  return (
    <Stack gap="sm">
      <Text size="sm">
        有 {cases.length} 个在办预警。移交后由接收人重新受理：{gravePhrase(sector)} 2 小时内，其余 24
        小时内；系统会立即通知接收人。
      </Text>
      {isEach ? (
        <ul className={classes['cases']} aria-label="在办预警">
          {cases.map((item) => (
            <li key={item.warningcode}>
              <span className={classes['case']}>
                <WarningBadge level={item.level} name={item.levelname} />
                {hasPermission('warning.crisis') ? (
                  <Link to={`${pathOf('warning.crisis')}?keyword=${item.warningcode}`}>{nameOf(item)}</Link>
                ) : (
                  nameOf(item)
                )}
                <span className={classes['quiet']}>{item.statename}</span>
              </span>
              <Select
                aria-label={`${nameOf(item)} 的接收人`}
                placeholder="请选择接收人"
                searchable
                data={options}
                value={choices[item.warningcode] ?? null}
                error={error && !choices[item.warningcode] ? '请选择接收人' : undefined}
                onChange={(userid) => setChoices({ ...choices, [item.warningcode]: userid ?? '' })}
              />
            </li>
          ))}
        </ul>
      ) : (
        <Select
          label="全部移交给"
          required
          placeholder="请选择接收人"
          searchable
          data={options}
          value={common || null}
          error={error && !common ? '请选择接收人' : undefined}
          onChange={(userid) => setChoices(Object.fromEntries(cases.map((item) => [item.warningcode, userid ?? ''])))}
        />
      )}
      {cases.length > 1 && (
        <Switch label="逐个选择接收人" checked={isEach} onChange={(event) => setIsEach(event.currentTarget.checked)} />
      )}
    </Stack>
  );
}
