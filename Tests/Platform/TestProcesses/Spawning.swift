import Glibc
import Synchronization

/// Held from the creation of the sockets until the spawn. Otherwise another child process could inherit the far ends
/// and keep them open.
private let spawning = Mutex(())

/// Starts a program with a socket as its standard input and another as its standard output.
func spawn(
    _ words: [String], environment: [String: String]
) throws -> (id: pid_t, input: Int32, output: Int32) {
    try spawning.withLock { _ in
        let input = try socketPair(), output = try socketPair()
        defer { for far in [input.far, output.far] { close(far) } }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, input.far, STDIN_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, output.far, STDOUT_FILENO)
        var arguments = unsafe words.map { word in unsafe strdup(word) } + [nil]
        var variables = unsafe environment.map { name, value in unsafe strdup("\(name)=\(value)") } + [nil]
        defer { unsafe (arguments + variables).forEach { text in unsafe free(text) } }
        var id: pid_t = 0
        let error = unsafe posix_spawnp(&id, words[0], &actions, nil, &arguments, &variables)
        guard error == 0 else {
            for near in [input.near, output.near] { close(near) }
            throw ChildProcess.Failure(description: "starting \(words[0]) failed: error \(error)")
        }
        return (id, input.near, output.near)
    }
}

/// Returns two connected sockets that child processes don't inherit by default.
private func socketPair() throws -> (near: Int32, far: Int32) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
        throw ChildProcess.Failure(description: "making sockets failed: error \(errno)")
    }
    return (ends[0], ends[1])
}

/// Reads a descriptor to its end. Interrupted reads are repeated.
package func readAll(of descriptor: Int32) throws -> [UInt8] {
    var found: [UInt8] = []
    while true {
        let more = try readBytes(upTo: 65_536, of: descriptor)
        if more.isEmpty { return found }
        found += more
    }
}

/// Reads at most `count` bytes. Returns an empty array at the end.
func readBytes(upTo count: Int, of descriptor: Int32) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let found = retryingInterrupted { unsafe read(descriptor, &bytes, count) }
    // If a process ends with unread input, its sockets are reset.
    if found < 0, errno == ECONNRESET { return [] }
    if found < 0 { throw ChildProcess.Failure(description: "reading failed: error \(errno)") }
    return Array(bytes.prefix(found))
}

func retryingInterrupted(_ call: () -> Int) -> Int {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}
