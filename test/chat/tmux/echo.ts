/** A small program for a terminal: it shows what it reads, byte by byte, and what it knows of the terminal. */
import { stdin, stdout } from 'node:process';

stdin.setRawMode(true);
stdout.write('\u001b[?2004h');
const size = (): void => void stdout.write(`size ${stdout.columns}x${stdout.rows}\r\n`);
stdout.on('resize', size);
size();
stdout.write(
  `term ${process.env.TERM} locale ${process.env.LC_ALL} own ${process.env.OWN} key ${process.env.SECRET_KEY}\r\n`,
);
stdout.write(`${'wide '.repeat(30)}\r\n`);
stdout.write('ready\r\n');
stdin.on('data', (bytes: Buffer) => {
  const text = bytes.toString();
  if (text === 'q') process.exit(7);
  stdout.write(`read ${JSON.stringify(text)}\r\n`);
});
