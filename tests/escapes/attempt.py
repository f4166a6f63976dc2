"""One attempt to get out of the sandbox of programs: makes its folders, listeners and victim, runs it free or in the room, and judges. JSON in, JSON out."""
import base64, ctypes, json, os, resource, secrets, shutil, signal, socket, stat, subprocess, sys, threading, time
WORK = '/tmp/escapes/work'
PYTHON = '/usr/bin/python3'
TIMES = {'exceeds-time': 1.0, 'exceeds-cpu': 6.0}
CAP_OUT, CAP_ERR, FILE_SIZE = 1 << 20, 64 << 10, 10 << 20

def limits(escaped):
    return {'time': TIMES.get(escaped, 4.0), 'cpu': 1 if escaped == 'exceeds-cpu' else 10,
            'memory': (128 << 20) if escaped == 'exceeds-memory' else (1 << 30), 'files': 128,
            'processes': 20 if escaped == 'exceeds-processes' else 64, 'file_size': FILE_SIZE}

def children(of, deep=True):
    table = {}
    for name in os.listdir('/proc'):
        if name.isdigit():
            try:
                raw = open(f'/proc/{name}/stat', encoding='latin-1').read()
                rest = raw[raw.rindex(')') + 2:].split()
                table[int(name)] = (int(rest[1]), 'threads' if rest[0] == 'Z' and int(rest[17]) > 1 else rest[0])
            except OSError:
                pass
    found, wave = {}, {of}
    while wave:
        nxt = {p for p, (parent, _) in table.items() if parent in wave and p not in found}
        for p in nxt:
            found[p] = table[p][1]
        wave = nxt if deep else set()
    return found

class World:
    def __init__(self, secret):
        self.secret, self.hits = secret, []
        self.base = f'{WORK}/{secrets.token_hex(6)}'
        for name in ('outside', 'writable', 'readable', 'sockets', 'tmp'):
            os.makedirs(f'{self.base}/{name}')
        self.outside, self.writable = self.base + '/outside', self.base + '/writable'
        open(self.outside + '/secret.txt', 'w').write(secret + '\n')
        open(self.base + '/readable/given.txt', 'w').write('given\n')
        self.listen()
        held = open(self.outside + '/secret.txt')
        self.victim = subprocess.Popen(['/usr/bin/sleep', '30'], env={'VICTIM_SECRET': secret}, cwd=self.outside, stdin=held,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        self.leak = os.open(self.outside + '/secret.txt', os.O_RDONLY)
        time.sleep(0.02)
        self.print_victim, self.print_outside = self.of_victim(), self.of_outside()

    def listen(self):
        def keep(sock, what, take):
            def loop():
                while True:
                    try:
                        take(sock)
                        self.hits.append(what)
                    except OSError:
                        return
            threading.Thread(target=loop, daemon=True).start()
        def accept(s):
            c, _ = s.accept(); c.settimeout(0.2); c.close()
        def bound(family, kind, address):
            s = socket.socket(family, kind); s.bind(address)
            if kind != socket.SOCK_DGRAM: s.listen(50)
            keep(s, f'{family.name} {kind.name}', accept if kind != socket.SOCK_DGRAM else lambda s: s.recv(100))
            return s
        T, D, Q = socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET
        self.tcp = bound(socket.AF_INET, T, ('127.0.0.1', 0)); self.port = self.tcp.getsockname()[1]
        u = bound(socket.AF_INET, D, ('127.0.0.1', 0)); self.udp = u.getsockname()[1]
        for kind, port in ((T, self.port), (D, self.udp)):
            try: bound(socket.AF_INET6, kind, ('::1', port))
            except OSError: pass
        self.unix, self.abstract = self.base + '/sockets/s', 'escapes-' + secrets.token_hex(5)
        for kind, end in ((T, ''), (D, '.dgram'), (Q, '.seqpacket')):
            bound(socket.AF_UNIX, kind, self.unix + end)
            bound(socket.AF_UNIX, kind, '\0' + self.abstract + end)

    def of_outside(self):
        found = {}
        names = [self.outside] + [os.path.join(d, n) for d, ds, fs in os.walk(self.outside) for n in ds + fs]
        for path in names:
            try: s = os.lstat(path)
            except OSError: continue
            body = open(path, 'rb').read() if stat.S_ISREG(s.st_mode) else b''
            try: attrs = tuple((n, os.getxattr(path, n, follow_symlinks=False)) for n in os.listxattr(path, follow_symlinks=False))
            except OSError: attrs = ()
            flags = None
            if stat.S_ISREG(s.st_mode) or stat.S_ISDIR(s.st_mode):
                import fcntl
                fd = os.open(path, os.O_RDONLY | os.O_NOATIME)
                try: flags = fcntl.ioctl(fd, 0x80086601, b'\0' * 8)[:4]
                except OSError: pass
                try: flags = (flags, fcntl.ioctl(fd, 0x801c581f, b'\0' * 28))
                except OSError: pass
                os.close(fd)
            odd = s.st_atime < 1.7e9 or s.st_atime > time.time() + 100
            nlink = s.st_nlink if stat.S_ISREG(s.st_mode) else 0
            found[path] = (s.st_mode, s.st_uid, s.st_gid, s.st_size, s.st_mtime_ns, nlink, odd, body, attrs, repr(flags))
        return found

    def of_victim(self):
        p = f'/proc/{self.victim.pid}/'
        try:
            raw = open(p + 'stat').read(); rest = raw[raw.rindex(')') + 2:].split()
            if rest[0] in 'ZX': return 'dead'
            found = {'stopped': rest[0] in 'Tt', 'group': rest[2], 'nice': rest[16], 'rt': rest[37], 'policy': rest[38]}
            for name in ('limits', 'oom_score_adj', 'comm', 'coredump_filter', 'timerslack_ns', 'autogroup'):
                try: found[name] = open(p + name).read()
                except OSError: pass
            for line in open(p + 'status'):
                if line.startswith(('TracerPid', 'Cpus_allowed:')): found[line.split()[0]] = line
            found['ioprio'] = ctypes.CDLL(None).syscall(252 if os.uname().machine == 'x86_64' else 31, 1, self.victim.pid)
            return found
        except OSError:
            return 'dead'

    def fill(self, code, token):
        for name, value in (('outside', self.outside), ('writable', self.writable), ('readable', self.base + '/readable'),
                            ('port', self.port), ('udp', self.udp), ('unix', self.unix), ('abstract', self.abstract),
                            ('victim', self.victim.pid), ('token', token)):
            code = code.replace('{%s}' % name, str(value))
        return code

class Free:
    """The control: a plain child with pipes, the environment of the server besides, nothing held back."""
    def run(self, world, argv, env, asked, most):
        self.out, self.err = bytearray(), bytearray()
        whole = dict(os.environ); whole.update(env)
        os.set_inheritable(world.leak, True); world.tcp.set_inheritable(True)
        began = time.time()
        child = subprocess.Popen(argv, env=whole, cwd=world.writable, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 close_fds=False, preexec_fn=os.setsid)
        os.set_inheritable(world.leak, False); world.tcp.set_inheritable(False)
        def read(pipe, into):
            while True:
                try: got = os.read(pipe.fileno(), 65536)
                except OSError: return
                if not got: return
                if len(into) < 20 << 20: into += got
        def write(data):
            try: child.stdin.write(data); child.stdin.close()
            except OSError: pass
        threads = [threading.Thread(target=read, args=a, daemon=True) for a in ((child.stdout, self.out), (child.stderr, self.err))]
        threads.append(threading.Thread(target=write, args=(asked.get('input', b''),), daemon=True))
        for t in threads: t.start()
        until = 2.4 if asked['escaped'] == 'exceeds-time' else 7
        code = None
        try:
            os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT) if False else child.wait(until)
            code = child.returncode
        except subprocess.TimeoutExpired:
            pass
        if asked['escaped'] == 'exceeds-time':
            for t in threads[:2]: t.join(max(0, until - (time.time() - began)))
        took = time.time() - began
        return {'how': f'exit {code}' if code is not None else 'still running', 'code': code, 'took': took, 'alive': [child.pid] if code is None else []}

class Room:
    def __init__(self, binary): self.binary = binary
    def run(self, world, argv, env, asked, most):
        import room_json
        began = time.time()
        launch = room_json.launch(argv, env, world, asked, most, CAP_OUT, CAP_ERR)
        os.set_inheritable(world.leak, True); world.tcp.set_inheritable(True)
        child = subprocess.Popen([self.binary], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, close_fds=False, start_new_session=True)
        os.set_inheritable(world.leak, False); world.tcp.set_inheritable(False)
        high = [0]
        def watch():
            while True:
                try:
                    for line in open(f'/proc/{child.pid}/status'):
                        if line.startswith('VmHWM'): high[0] = int(line.split()[1])
                except OSError: return
                time.sleep(0.1)
        threading.Thread(target=watch, daemon=True).start()
        hung = False
        try: out, err = child.communicate(launch, timeout=most['time'] + 5)
        except subprocess.TimeoutExpired:
            hung = True; self.out = self.err = b''
            return {'how': 'room hung', 'code': None, 'took': time.time() - began, 'alive': [child.pid], 'hung': True}
        took = time.time() - began
        got = room_json.answer(out, err, child.returncode)
        self.out, self.err = got['out'], got['err']
        return {'how': got['how'], 'code': got['code'], 'took': took, 'alive': [], 'room_kb': high[0], 'broken': got.get('broken')}

def sweep(victim):
    """Ends whatever this attempt left behind; every orphan has become a child of this process."""
    for _ in range(60):
        left = [p for p in children(os.getpid()) if p != victim]
        if not left: return
        for p in left:
            try: os.kill(p, signal.SIGKILL)
            except OSError: pass
        time.sleep(0.02)
        reap(victim)

def reap(victim):
    for p, state in children(os.getpid(), deep=False).items():
        if p != victim and state == 'Z':
            try: os.waitpid(p, os.WNOHANG)
            except OSError: pass

def big_files(world, said):
    found = []
    try:
        for d, _, names in os.walk(world.base):
            for n in names:
                try:
                    size = os.lstat(os.path.join(d, n)).st_size
                    if size > FILE_SIZE + 4096: found.append(f'{n}: {size} bytes')
                except OSError: pass
    except RecursionError: pass
    for line in said.split(b'\n'):
        if line.startswith(b'TMPDIR=') and os.path.lexists(line[7:].strip() or b'/none'): found.append('the temporary folder is still there')
    return found

def main():
    asked = json.load(sys.stdin)
    secret, token = os.environ['ESCAPES_SERVER_SECRET'], 'GOT-' + 'OUT-' + secrets.token_hex(6)
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
    world = World(secret)
    asked['input'] = b'x' * int(asked.get('input', 0))
    code = world.fill(asked['code'], token)
    argv = [PYTHON, '-c', code] if asked['kind'] == 'python' else ['/bin/sh', '-c', code]
    env = {'PATH': '/usr/bin:/bin:/usr/sbin:/sbin', 'LANG': 'C.UTF-8'}
    free = asked['mode'] == 'control'
    if free: env.update(HOME=world.base + '/tmp', TMPDIR=world.base + '/tmp')
    runner = Free() if free else Room(asked['binary'])
    most, kind = limits(asked['escaped']), asked['escaped']
    result = runner.run(world, argv, env, asked, most)
    time.sleep(0.15)
    reap(world.victim.pid)
    alive = [p for p, s in children(os.getpid()).items() if p != world.victim.pid and s != 'Z' and p not in result['alive']]
    if alive:
        time.sleep(0.5); reap(world.victim.pid)
        for _ in range(15):  # the server's guard ends by itself when the server has; under load that takes a moment
            if not any(b'guard' in (open(f'/proc/{p}/cmdline', 'rb').read() if os.path.exists(f'/proc/{p}') else b'') for p in alive): break
            time.sleep(0.1); reap(world.victim.pid)
        alive = [p for p, s in children(os.getpid()).items() if p != world.victim.pid and s != 'Z' and p not in result['alive']]
    names = []
    for p in alive:
        try: names.append(open(f'/proc/{p}/cmdline').read().replace('\0', ' ')[:80])
        except OSError: pass
    def beat():
        try: return os.path.getsize(world.writable + '/beat')
        except OSError: return None
    if beat() is not None:
        before = beat(); time.sleep(0.3)
        if beat() != before: names.append('the file `beat` still grows')
    victim, outside = world.of_victim(), world.of_outside()
    said = bytes(runner.out) + bytes(runner.err)
    sweep(world.victim.pid); reap(world.victim.pid)
    used = resource.getrusage(resource.RUSAGE_CHILDREN); cpu = used.ru_utime + used.ru_stime
    tests = {
        'prints-secret': secret.encode() in said,
        'touches-outside': [k.replace(world.base, '') for k in set(outside) | set(world.print_outside) if outside.get(k) != world.print_outside.get(k)],
        'reaches-listener': world.hits, 'outlives': names,
        'kills-victim': victim != world.print_victim and (victim if victim == 'dead' else {k: v for k, v in victim.items() if v != world.print_victim.get(k)}),
    }
    also = {
        'exceeds-memory': token.encode() in said, 'exceeds-processes': token.encode() in said,
        'exceeds-cpu': token.encode() in said or cpu > most['cpu'] + 0.7, 'exceeds-output': len(runner.out) > CAP_OUT or len(runner.err) > CAP_ERR or result.get('room_kb', 0) > 160000,
        'exceeds-time': result['took'] > most['time'] + 1.2, 'exceeds-disk': token.encode() in said or big_files(world, said), 'exits-zero': result['code'] == 0,
    }
    answer = {'escaped': bool({**tests, **also}[kind]), 'evidence': str({**tests, **also}[kind])[:300], 'how': result['how'], 'took': round(result['took'], 2),
              'cpu': round(cpu, 2), 'room_kb': result.get('room_kb'), 'broken': result.get('broken'), 'skipped': result['code'] == 77,
              'besides': {} if free else {k: str(v)[:200] for k, v in tests.items() if v and k != kind},
              'said': (bytes(runner.out)[-300:] + b' // ' + bytes(runner.err)[-400:]).decode('utf-8', 'replace').replace(secret, '<SECRET>')}
    if not free and kind != 'exceeds-time' and result['took'] > most['time'] + 1.2: answer['besides']['late'] = f"answered after {result['took']:.1f} s, {most['time']} s are allowed"
    if result.get('hung'): answer['besides']['hung'] = 'the room did not answer'
    world.victim.kill(); world.victim.wait()
    subprocess.run(['chattr', '-R', '-ia', world.base], stderr=subprocess.DEVNULL)
    for _ in range(2):
        subprocess.run(['rm', '-rf', world.base], stderr=subprocess.DEVNULL)
    json.dump(answer, sys.stdout); sys.stdout.flush(); os._exit(0)
main()
