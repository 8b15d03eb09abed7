import { Loader, Text, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { ErrorState } from '#ui/feedback/states.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { FoldButton } from '#ui/tree/FoldButton.tsx';
import { TreeSearch } from '#ui/tree/TreeSearch.tsx';
import { getMUserPageList, getMUserTree } from '#features/muser/muser.contract.ts';
import classes from '#features/muser/muser.module.css';

interface Props {
  /** The code of the chosen institution; '' for none. */
  value: string;
  onPick: (musercode: string, insname: string) => void;
  /** The user cannot choose this institution or one below it. */
  except?: string;
  label: string;
}

/** Shows the institutions below the caller as a tree. It loads level by level; a search finds institutions of every level. */
export function InstitutionTree({ value, onPick, except, label }: Props) {
  const [text, setText] = useState('');
  const [keyword] = useDebouncedValue(text.trim(), 250);
  const props = { value, onPick, ...(except ? { except } : {}) };
  return (
    <nav aria-label={label} className={classes['tree']}>
      <TreeSearch label="查找机构" value={text} onChange={setText} />
      {keyword ? <Matches keyword={keyword} {...props} /> : <Branch {...props} depth={0} />}
    </nav>
  );
}

const MAX_MATCHES = 50;

/** The institutions that a search found, each with the institution above it. */
function Matches({ keyword, except, ...props }: Omit<Props, 'label'> & { keyword: string }) {
  const read = useActionQuery(getMUserPageList, { keyword, page: 1, pageSize: MAX_MATCHES, orderby: 'insname', isasc: '1' });
  if (read.error) return <ErrorState error={read.error} retry={() => void read.refetch()} />;
  if (!read.data) return <Loader size="xs" m="xs" role="status" aria-label="正在加载" />;
  const { rows, total } = read.data;
  return (
    <ul data-found aria-label={`找到 ${total} 个机构`}>
      {rows.map((row) => (
        <li key={row.musercode}>
          <InstitutionButton
            code={row.musercode}
            insname={row.insname}
            isExcluded={row.musercode === except}
            isOff={row.enabled === 0}
            {...props}
          />
          <Text size="xs" c="dimmed" px={8}>
            {row.parentname}
          </Text>
        </li>
      ))}
      {(total === 0 || total > rows.length) && (
        <Text component="li" size="xs" c="dimmed" px="sm">
          {total === 0 ? '没有找到' : `另有 ${total - rows.length} 个，请写得更完整`}
        </Text>
      )}
    </ul>
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
          <FoldButton name={child.insname} isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} />
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
