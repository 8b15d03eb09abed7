import { Alert, Select, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { ConsultStatus, FollowMethod } from '#domain/base/enums.ts';
import { pathOf } from '#contract/menu.ts';
import { hasPermission } from '#ui/api/session.ts';
import { Link } from '#ui/router/router.tsx';
import { FoldButton } from '#ui/tree/FoldButton.tsx';
import { MUST_MOVE, NONE, rowKey, STAY, totalOf, type WorkChoices, type WorkPreview } from '#blocks/handover/workChoices.ts';
import { WORK_KINDS, type WorkKind } from '#features/handover/handOver.contract.ts';
import classes from './handover.module.css';

const KINDS: Readonly<Record<WorkKind, { name: string; none?: string }>> = {
  cases: { name: '在办预警' },
  followups: { name: '待随访', none: '随个案责任人' },
  bookings: { name: '咨询预约', none: '退回待受理，重新预约' },
  persons: { name: '负责的档案', none: '不设负责人' },
  teams: { name: '负责的团体', none: '不设负责人' },
};

interface Props {
  preview: WorkPreview;
  choices: WorkChoices;
  setChoices: (choices: WorkChoices) => void;
  /** the account is disabled or deleted: cases, follow-ups and bookings need a receiver */
  isLeaving: boolean;
  /** shows the missing receiver after a first attempt to submit */
  error: boolean;
}

type Colleague = WorkPreview['colleagues'][number];
const labelOf = (item: Colleague) =>
  [
    item.isabove ? `${item.realname}（${item.insname}）` : item.realname,
    item.onduty ? '值班中' : '',
    item.absentuntil ? `外出至 ${item.absentuntil.slice(5, 16)}` : '',
    `在办 ${item.opencases} · 随访 ${item.followups} · 预约 ${item.bookings}`,
  ]
    .filter(Boolean)
    .join(' · ');

/** Chooses who takes over the open work of a colleague: one receiver for all, or others for kinds and single rows. */
export function WorkFields({ preview, choices, setChoices, isLeaving, error }: Props) {
  const [isSplit, setIsSplit] = useState(false);
  const kinds = WORK_KINDS.filter((kind) => preview[kind].total > 0);
  if (kinds.length === 0) return <Text size="sm">没有在办的预警、随访、预约，也没有负责的档案和团体，无需移交。</Text>;
  const common = preview.colleagues.filter((item) => kinds.some((kind) => item.able.includes(kind)));
  if (common.length === 0)
    return (
      <Alert color="red" title="暂无可以接收的同事">
        接收人须是本机构未停用的具名账号；预警还可以由上级服务商的值班人员接收。请先增加人员，或联系服务商协助。
      </Alert>
    );
  return (
    <Stack gap="sm">
      <Select
        label="全部移交给"
        required={isLeaving && totalOf(preview, MUST_MOVE) > 0}
        placeholder="请选择接收人"
        searchable
        clearable={!isLeaving}
        nothingFoundMessage="没有这位同事"
        data={common.map((item) => ({ value: item.userid, label: labelOf(item) }))}
        value={choices.touserid ?? null}
        error={error && !choices.touserid && Object.keys(choices.kinds).length === 0 ? '请选择接收人' : undefined}
        onChange={(touserid) => setChoices({ ...choices, touserid: touserid ?? undefined, rows: {} })}
      />
      <ul className={classes['kinds']} aria-label="待移交的工作">
        {kinds.map((kind) => (
          <Kind key={kind} kind={kind} isSplit={isSplit} {...{ preview, choices, setChoices, isLeaving }} />
        ))}
      </ul>
      <Switch label="分别选择接收人" checked={isSplit} onChange={(event) => setIsSplit(event.currentTarget.checked)} />
    </Stack>
  );
}

function Kind({
  kind,
  isSplit,
  preview,
  choices,
  setChoices,
  isLeaving,
}: Omit<Props, 'error'> & { kind: WorkKind; isSplit: boolean }) {
  const { total, moved, stays, rows } = preview[kind];
  const [isFolded, setIsFolded] = useState<boolean>();
  const { name, none } = KINDS[kind];
  const mustMove = isLeaving && (MUST_MOVE as readonly WorkKind[]).includes(kind);
  // Rows that cannot move are shown at once.
  const isOpen = !(isFolded ?? stays === 0);
  const options = [
    ...preview.colleagues
      .filter((item) => item.able.includes(kind))
      .map((item) => ({ value: item.userid, label: labelOf(item) })),
    ...(none ? [{ value: NONE, label: none }] : []),
  ];
  const kindOptions = mustMove ? options : [...options, { value: STAY, label: '不移交' }];
  const setRow = (id: string, value: string | null) => {
    const { [rowKey(kind, id)]: _, ...others } = choices.rows;
    setChoices({ ...choices, rows: value === null ? others : { ...others, [rowKey(kind, id)]: value } });
  };
  return (
    <li>
      <div className={classes['kind']}>
        <FoldButton name={name} isOpen={isOpen} onToggle={() => setIsFolded(isOpen)} />
        <b>{name}</b>
        <span className={classes['quiet']}>{total} 项</span>
        <span className={stays > 0 ? classes['stays'] : classes['quiet']} role="status">
          {stays > 0 ? `${stays} 项不能移交` : moved > 0 ? `移交 ${moved} 项` : ''}
        </span>
        {isSplit && (
          <Select
            className={classes['receiver']}
            aria-label={`${name}的接收人`}
            placeholder={choices.touserid ? '同上' : '请选择接收人'}
            searchable
            clearable
            data={kindOptions}
            value={choices.kinds[kind] ?? null}
            onChange={(value) => {
              const { [kind]: _, ...others } = choices.kinds;
              setChoices({ ...choices, kinds: value === null ? others : { ...others, [kind]: value } });
            }}
          />
        )}
      </div>
      {isOpen && (
        <ul className={classes['cases']} aria-label={name}>
          {rows.map((row) => {
            const { title, text } = describe(kind, row as never);
            return (
              <li key={row.id}>
                <span className={classes['case']}>
                  <RowLink kind={kind} id={row.id} title={title} />
                  <span className={classes['quiet']}>{text}</span>
                  {row.why ? (
                    <span className={classes['stays']}>{row.why}</span>
                  ) : (
                    row.toname && <span className={classes['quiet']}>→ {row.toname}</span>
                  )}
                </span>
                {(isSplit || row.why !== '' || choices.rows[rowKey(kind, row.id)]) && (
                  <Select
                    aria-label={`${title} 的接收人`}
                    placeholder="另选接收人"
                    searchable
                    clearable
                    data={options}
                    value={choices.rows[rowKey(kind, row.id)] ?? null}
                    onChange={(value) => setRow(row.id, value)}
                  />
                )}
              </li>
            );
          })}
          {total > rows.length && <li className={classes['quiet']}>另有 {total - rows.length} 项未列出，一并移交</li>}
        </ul>
      )}
    </li>
  );
}

type RowOf<K extends WorkKind> = WorkPreview[K]['rows'][number];
/** A row in words. Staff who may not read the name of the person see the number of the record. */
export function describe<K extends WorkKind>(kind: K, row: RowOf<K>): { title: string; text: string } {
  switch (kind) {
    case 'cases': {
      const { username, id, levelname, statename } = row as RowOf<'cases'>;
      return { title: username || `个案 ${id}`, text: `${levelname} · ${statename}` };
    }
    case 'followups': {
      const { username, id, duetime, isoverdue, method } = row as RowOf<'followups'>;
      return {
        title: username || `随访 ${id}`,
        text: `${duetime.slice(0, 10)} ${FollowMethod.label(method)}${isoverdue ? ' · 已逾期' : ''}`,
      };
    }
    case 'bookings': {
      const { username, id, slotbegin, slotend, status, isseries } = row as RowOf<'bookings'>;
      const time = slotbegin ? `${slotbegin}–${slotend?.slice(11) ?? ''}` : '';
      return {
        title: username || `预约 ${id}`,
        text: [time, status === '02' ? '' : ConsultStatus.label(status), isseries ? '每周一次' : ''].filter(Boolean).join(' · '),
      };
    }
    case 'persons': {
      const { username, id, belongs } = row as RowOf<'persons'>;
      return { title: username || id, text: belongs };
    }
    default: {
      const { teamname, membercount } = row as RowOf<'teams'>;
      return { title: teamname, text: `${membercount} 人` };
    }
  }
}

/** The row's name; for staff with the screen a link to the record. */
export function RowLink({ kind, id, title }: { kind: WorkKind; id: string; title: string }) {
  if (kind === 'cases' && hasPermission('warning.crisis'))
    return <Link to={`${pathOf('warning.crisis')}?keyword=${id}`}>{title}</Link>;
  if (kind === 'bookings' && hasPermission('consult.forms'))
    return <Link to={`${pathOf('consult.forms')}?open=${id}`}>{title}</Link>;
  return <span>{title}</span>;
}
