import CRights
import Glibc
import Synchronization
import TenureThreads

/// Opens the files that whoever runs a command has named.
///
/// A command that root runs becomes the owner of the data folder, so that no file in there ever belongs to somebody whom
/// the server cannot read. What root names may lie in root's own folders all the same: one thread keeps the right to open
/// files, and nothing else of what root may do. What it makes belongs to the owner.
package enum CallersFiles {
    private struct State {
        var jobs: [@Sendable () -> Void] = []
        var isOpen = true
    }

    private final class Doorkeeper: Sendable {
        let state = Monitor(State())
    }

    private static let doorkeeper = Mutex<Doorkeeper?>(nil)

    /// Becomes another user, who is named by the body, and keeps the right to open files.
    ///
    /// Where no thread can be had for it, only what that user may open can be opened afterwards.
    package static func keep(whileBecoming body: () -> Bool) -> Bool {
        let keeper = Doorkeeper()
        do throws(ThreadError) {
            try startThread {
                while let job = keeper.state.wait(for: next) { job() }
            }
        } catch {
            return body()
        }
        send(to: keeper) { _ = tenure_keep_rights() }
        guard body() else {
            keeper.state.change { $0.isOpen = false }
            return false
        }
        send(to: keeper) { _ = tenure_keep_file_rights_alone() }
        doorkeeper.withLock { $0 = keeper }
        return true
    }

    /// Gives the right up, for a process that stays.
    package static func close() {
        doorkeeper.withLock { keeper in
            keeper?.state.change { $0.isOpen = false }
            keeper = nil
        }
    }

    /// Does something short with files as whoever runs the command. `errno` is that of the body.
    package static func open<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        guard let keeper = doorkeeper.withLock({ $0 }) else { return try body() }
        let answer = send(to: keeper) { () -> Result<Value, Failure> in
            do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
        }
        return try answer.get()
    }

    private static func next(_ state: inout State) -> (@Sendable () -> Void)?? {
        if !state.jobs.isEmpty { return .some(state.jobs.removeFirst()) }
        return state.isOpen ? nil : .some(nil)
    }

    private static func send<Value: Sendable>(
        to keeper: Doorkeeper, _ body: @escaping @Sendable () -> Value
    ) -> Value {
        let done = Monitor<(Value, Int32)?>(nil)
        keeper.state.change { state in
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
