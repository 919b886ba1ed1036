import { execFile } from 'node:child_process';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startServer } from '../server.js';

const run = promisify(execFile);

/** A row of a result. The values are text, as the server sends them. */
export type Row = Readonly<Record<string, string | null>>;

export interface Database {
  readonly socket: string;
  readonly query: (sql: string) => Promise<readonly Row[]>;
}

const isListening = (socket: string): Promise<boolean> =>
  new Promise((resolve) => {
    const connection = connect(socket, () => {
      connection.destroy();
      resolve(true);
    }).on('error', () => resolve(false));
  });

/** Reads rows with PHP, which the application needs anyway. The statement is an argument, never code. */
const reader = `$options = [PDO::ATTR_STRINGIFY_FETCHES => true];
$database = new PDO("mysql:unix_socket=$argv[1];dbname=$argv[2];charset=utf8mb4", 'root', '', $options);
$result = $database->query($argv[3]);
echo json_encode($result->columnCount() ? $result->fetchAll(PDO::FETCH_ASSOC) : [], JSON_THROW_ON_ERROR);`;

/** Starts MariaDB with an empty database, on a socket in the folder, until the tests of the file end. */
export async function startMariaDb(folder: string, name: string): Promise<Database> {
  const data = join(folder, 'mariadb');
  const socket = join(folder, 'mariadb.sock');
  const user = process.getuid?.() === 0 ? ['--user=root'] : [];
  // A server removes the temporary tables of other servers in its --tmpdir when it starts.
  const options = ['--no-defaults', `--datadir=${data}`, `--tmpdir=${folder}`, ...user];
  // --rpm: the script leaves the files of the package as they are.
  await run('mysql_install_db', [...options, '--auth-root-authentication-method=normal', '--skip-test-db', '--rpm']);
  await startServer('/usr/sbin/mariadbd', [...options, `--socket=${socket}`, '--skip-networking'], {
    isReady: () => isListening(socket),
  });
  const queryIn = async (database: string, sql: string): Promise<readonly Row[]> =>
    JSON.parse((await run('php', ['-r', reader, '--', socket, database, sql])).stdout) as readonly Row[];
  await queryIn('mysql', `CREATE DATABASE \`${name}\``);
  return { socket, query: (sql) => queryIn(name, sql) };
}
