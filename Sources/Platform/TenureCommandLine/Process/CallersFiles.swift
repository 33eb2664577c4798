import CRights
import Glibc
import Synchronization
import TenureThreads

/// Opens the files that the user of a command has named.
///
/// When root runs a command, the process switches to the owner of the data folder, so that the server can read every
/// file in it. Files that root names may still be in folders that only root can read. For these, one thread keeps the
/// right to open files, and no other right of root. The files that it creates belong to the owner.
package enum CallersFiles {
    private struct State {
        var jobs: [@Sendable () -> Void] = []
        var isOpen = true
    }

    private final class Doorkeeper: Sendable {
        let state = Monitor(State())
    }

    private static let doorkeeper = Mutex<Doorkeeper?>(nil)

    /// Runs a body that switches to another user, while one thread keeps the right to open files; returns the body's
    /// result.
    ///
    /// If that thread can't be started, only files that the other user may open can be opened afterwards.
    package static func keep(whileBecoming body: () -> Bool) -> Bool {
        let created = Doorkeeper()
        do throws(ThreadError) {
            try startThread {
                while let job = created.state.wait(for: next) { job() }
            }
        } catch {
            return body()
        }
        send(to: created) { _ = tenure_keep_rights() }
        guard body() else {
            created.state.change { $0.isOpen = false }
            return false
        }
        send(to: created) { _ = tenure_keep_file_rights_alone() }
        doorkeeper.withLock { $0 = created }
        return true
    }

    /// Gives up the right to open the user's files. Processes that keep running call it once they have read those
    /// files.
    package static func close() {
        doorkeeper.withLock { current in
            current?.state.change { $0.isOpen = false }
            current = nil
        }
    }

    /// Runs a short file operation with the rights of the user who started the command, and sets `errno` as the
    /// operation did.
    package static func open<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        guard let current = doorkeeper.withLock({ $0 }) else { return try body() }
        let answer = send(to: current) { () -> Result<Value, Failure> in
            do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
        }
        return try answer.get()
    }

    private static func next(_ state: inout State) -> (@Sendable () -> Void)?? {
        if !state.jobs.isEmpty { return .some(state.jobs.removeFirst()) }
        return state.isOpen ? nil : .some(nil)
    }

    private static func send<Value: Sendable>(
        to doorkeeper: Doorkeeper, _ body: @escaping @Sendable () -> Value
    ) -> Value {
        let done = Monitor<(Value, Int32)?>(nil)
        doorkeeper.state.change { state in
            state.jobs.append {
                let value = body()
                let number = errno
                done.change { $0 = (value, number) }
            }
        }
        let (value, number) = done.wait { $0 }
        errno = number
        return value
    }
}
