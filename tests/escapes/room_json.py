"""The JSON of the launcher of the tests: what it is asked, and what it answers."""
import json

def launch(argv, env, world, asked, most, cap_out, cap_err):
    text = {'program': argv[0], 'arguments': argv[1:], 'environment': env, 'folder': world.writable, 'sandbox': 'required',
            'reads': [world.base + '/readable'], 'writes': [world.writable], 'network': asked['network'], 'cpu_ms': most['cpu'] * 1000,
            'memory': most['memory'], 'files': most['files'], 'processes': most['processes'], 'file_size': most['file_size'],
            'time_ms': int(most['time'] * 1000), 'output': cap_out, 'errors': cap_err}
    if asked['input']: text['input'] = asked['input'].decode()
    return json.dumps(text).encode()

def answer(out, err, status):
    nothing = {'out': b'', 'err': b'', 'code': None}
    try: got = json.loads(out)
    except ValueError: return {**nothing, 'how': f'room status {status}', 'broken': f'no answer, status {status}: {err[-300:]!r}'}
    if 'not_run' in got: return {**nothing, 'how': got['not_run'], 'broken': 'not run: ' + got['not_run']}
    how = got['how']
    code = int(how[7:-1]) if how.startswith('Exited(') else None
    # Bytes that are no UTF-8 come as U+FFFD, three bytes for one: they are counted as one.
    return {'out': got['output'].replace('\ufffd', '?').encode(), 'err': got['errors'].replace('\ufffd', '?').encode(), 'how': how, 'code': code}
