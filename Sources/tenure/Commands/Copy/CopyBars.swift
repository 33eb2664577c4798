import Synchronization
import TenureCommandLine
import TenureServer

/// The progress bars of a copy: one for the rows that are copied, one for those that are compared.
final class CopyBars: Sendable {
    private struct Bar {
        let step: CopyStore.Step
        let progress: Progress
        var done = 0
    }

    private let console: Console
    private let bar = Mutex<Bar?>(nil)

    init(on console: Console) { self.console = console }

    /// Shows how far it is; another step begins another bar.
    @Sendable func show(_ step: CopyStore.Step, done: Int, total: Int) {
        bar.withLock { bar in
            if bar?.step != step {
                bar?.progress.finish()
                bar = Bar(step: step, progress: console.progress(step.label, total: total))
            }
            guard let shown = bar else { return }
            shown.progress.advance(by: done - shown.done)
            bar?.done = done
        }
    }

    /// Leaves the last bar on a line of its own.
    func finish() {
        bar.withLock { bar in
            bar?.progress.finish()
            bar = nil
        }
    }
}

extension CopyStore.Step {
    fileprivate var label: String {
        switch self {
        case .copying: "copying"
        case .comparing: "comparing"
        }
    }
}
