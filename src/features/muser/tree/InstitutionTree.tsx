import { ActionIcon, Loader, Text, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { ErrorState } from '#ui/feedback/states.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { getMUserTree } from '#features/muser/muser.contract.ts';
import classes from '#features/muser/muser.module.css';

interface Props {
  /** The chosen institution; '' for none. */
  value: string;
  onPick: (musercode: string, insname: string) => void;
  /** Cannot be chosen, nor anything below it. */
  except?: string;
  label: string;
}

/** The institutions below the caller as a tree that is read level by level. */
export function InstitutionTree({ value, onPick, except, label }: Props) {
  return (
    <nav aria-label={label} className={classes['tree']}>
      <Branch value={value} onPick={onPick} {...(except ? { except } : {})} depth={0} />
    </nav>
  );
}

function Branch({ parent, depth, ...props }: Omit<Props, 'label'> & { parent?: string; depth: number }) {
  const read = useActionQuery(getMUserTree, parent ? { parentmusercode: parent } : {});
  if (read.error) return <ErrorState error={read.error} retry={() => void read.refetch()} />;
  if (!read.data) return <Loader size="xs" m="xs" aria-label="正在加载" />;
  const { self, children, more } = read.data;
  return (
    <ul>
      {depth === 0 && (
        <li>
          <Line code={self.musercode} insname={self.insname} {...props} />
        </li>
      )}
      {children.map((child) => (
        <Node key={child.musercode} one={child} depth={depth} {...props} />
      ))}
      {more > 0 && (
        <Text component="li" size="xs" c="dimmed" px="sm">
          另有 {more} 个，请用列表查询
        </Text>
      )}
    </ul>
  );
}

interface Child {
  musercode: string;
  insname: string;
  enabled: number;
  childcount: number;
}

function Node({ one, depth, ...props }: Omit<Props, 'label'> & { one: Child; depth: number }) {
  const [open, setOpen] = useState(false);
  const barred = one.musercode === props.except;
  return (
    <li>
      <div className={classes['line']}>
        {one.childcount > 0 && !barred ? (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-expanded={open}
            aria-label={`${open ? '收起' : '展开'}${one.insname}`}
            onClick={() => setOpen(!open)}
          >
            {open ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
          </ActionIcon>
        ) : (
          <span className={classes['stem']} />
        )}
        <Line code={one.musercode} insname={one.insname} disabled={barred} off={one.enabled === 0} {...props} />
      </div>
      {open && <Branch parent={one.musercode} depth={depth + 1} {...props} />}
    </li>
  );
}

function Line({
  code,
  insname,
  value,
  onPick,
  disabled = false,
  off = false,
}: Omit<Props, 'label'> & { code: string; insname: string; disabled?: boolean; off?: boolean }) {
  return (
    <UnstyledButton
      className={classes['pick'] ?? ''}
      data-on={value === code || undefined}
      aria-current={value === code}
      disabled={disabled}
      title={insname}
      onClick={() => onPick(code, insname)}
    >
      {insname}
      {off && <span className={classes['off']}>（停用）</span>}
    </UnstyledButton>
  );
}
