import { ActionIcon, Loader, Text, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { ErrorState } from '#ui/feedback/states.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { getMUserTree } from '#features/muser/muser.contract.ts';
import classes from '#features/muser/muser.module.css';

interface Props {
  /** The code of the chosen institution; '' for none. */
  value: string;
  onPick: (musercode: string, insname: string) => void;
  /** The user cannot choose this institution or one below it. */
  except?: string;
  label: string;
}

/** Shows the institutions below the caller as a tree. It loads level by level. */
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
  if (!read.data) return <Loader size="xs" m="xs" role="status" aria-label="正在加载" />;
  const { self, children, more } = read.data;
  return (
    <ul>
      {depth === 0 && (
        <li>
          <InstitutionButton code={self.musercode} insname={self.insname} {...props} />
        </li>
      )}
      {children.map((child) => (
        <TreeNode key={child.musercode} child={child} depth={depth} {...props} />
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

function TreeNode({ child, depth, ...props }: Omit<Props, 'label'> & { child: Child; depth: number }) {
  const [isOpen, setIsOpen] = useState(false);
  const isExcluded = child.musercode === props.except;
  return (
    <li>
      <div className={classes['line']}>
        {child.childcount > 0 && !isExcluded ? (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-expanded={isOpen}
            aria-label={`${isOpen ? '收起' : '展开'}${child.insname}`}
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
          </ActionIcon>
        ) : (
          <span className={classes['stem']} />
        )}
        <InstitutionButton
          code={child.musercode}
          insname={child.insname}
          isExcluded={isExcluded}
          isOff={child.enabled === 0}
          {...props}
        />
      </div>
      {isOpen && <Branch parent={child.musercode} depth={depth + 1} {...props} />}
    </li>
  );
}

function InstitutionButton({
  code,
  insname,
  value,
  onPick,
  isExcluded = false,
  isOff = false,
}: Omit<Props, 'label'> & { code: string; insname: string; isExcluded?: boolean; isOff?: boolean }) {
  return (
    <UnstyledButton
      className={classes['pick'] ?? ''}
      data-on={value === code || undefined}
      aria-current={value === code}
      disabled={isExcluded}
      title={insname}
      onClick={() => onPick(code, insname)}
    >
      {insname}
      {isOff && <span className={classes['off']}>（停用）</span>}
    </UnstyledButton>
  );
}
