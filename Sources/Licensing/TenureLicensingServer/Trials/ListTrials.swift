import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

extension RecordStore {
    /// Reads the trials of several products that began last, at most `limit` (1...1000) of them.
    ///
    /// With a state, it examines a bounded number of trials. The page may therefore be short or empty although another
    /// one follows.
    ///
    /// - Parameter cursor: The trial, of any product, after which the list starts.
    func latestTrials(
        of products: [Product], _ state: TrialState?, after cursor: TrialCursor?, at now: Timestamp, limit: Int
    ) async throws(Failure) -> (shown: [ShownTrial], next: TrialCursor?) {
        var found: [(trial: Trial, product: Product)] = []
        // The list is complete only down to the latest of the trials at which the examination of a product stopped.
        var examined: [TrialCursor] = []
        for product in products {
            var position = cursor?.values(of: product.ref) ?? []
            var matches = 0
            for turn in 1... {
                let page = try await list(
                    Listing(Trial.byStart, product.trialValues, after: position, isBackwards: true, limit: step))
                let listed = page.filter { state == nil || state == $0.state(under: product, at: now) }
                matches += listed.count
                found += listed.map { ($0, product) }
                guard page.count == step, let last = page.last else { break }
                if matches > limit || turn == mostTurns {
                    examined.append(last.cursor)
                    break
                }
                position = Trial.byStart.position(of: last)
            }
        }
        found.sort { $1.trial.cursor < $0.trial.cursor }
        let bound = examined.max()
        let complete = found.filter { match in bound.map { $0 <= match.trial.cursor } ?? true }
        let shown = complete.prefix(limit).map { $0 }
        let next = complete.count > limit ? shown.last?.trial.cursor : bound
        return (try await reporting(shown, at: now), next)
    }

    /// Reads the trials of a product on devices whose hash begins with the digits, at most 100 of them.
    func trials(of product: Product, _ device: DevicePrefix, at now: Timestamp) async throws(Failure) -> [ShownTrial] {
        let range = [
            Comparison("device", .atLeast(.of(device.low))), Comparison("device", .atMost(.of(device.high))),
        ]
        let trials = try await list(Listing(Trial.ofProduct, product.trialValues, where: [range], limit: 100))
        return try await reporting(trials.map { ($0, product) }, at: now)
    }

    /// Adds the names and systems that the trials' devices have reported.
    private func reporting(
        _ trials: [(trial: Trial, product: Product)], at now: Timestamp
    ) async throws(Failure) -> [ShownTrial] {
        let devices = try await fetch(reportedDevices.bind(trials.map(\.trial)))[reportedDevices.queries]
        let reported = Dictionary(devices.map { ($0.name(of: $0.product), $0) }) { first, _ in first }
        return trials.map { ShownTrial($0.trial, of: $0.product, reported: reported[$0.trial.name], at: now) }
    }
}

private let reportedDevices = QueryPlan(for: [Trial].self) { query in
    query.each(Trial.Device.table.key) { $0.flatMap(\.keyValues) }
}

/// How many trials are read at a time, and how many times at most for each product.
private let (step, mostTurns) = (1_000, 4)

extension Trial.Device {
    fileprivate func name(of product: ProductRef) -> TrialName { TrialName(product: product, device: device) }
}

extension Product {
    fileprivate var trialValues: [StoredValue] { [.of(ref.tenant), .of(ref.product)] }
}
