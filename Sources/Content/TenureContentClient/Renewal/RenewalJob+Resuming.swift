import TenureCore

extension RenewalJob {
    /// The items that have no result yet, in the order of ``contents``.
    package var left: [String] {
        let done = Set(results.map(\.content))
        return contents.filter { !done.contains($0) }
    }

    /// Whether resuming this job also fulfills a new request.
    ///
    /// All requested items without a result must be among the items left in this job. A request for items that aren't
    /// due needs a job that renews such items, too. If every requested item already has a result, a new job is needed.
    func covers(_ requestedContents: [String], isAlways: Bool) -> Bool {
        guard self.isAlways || !isAlways else { return false }
        let open = Set(requestedContents).subtracting(results.map(\.content))
        return open.isEmpty ? requestedContents.isEmpty : Set(left).isSuperset(of: open)
    }

    /// The job that continues this interrupted one for a new request; `nil` if a new job is needed.
    ///
    /// - Parameters:
    ///   - requestedContents: The requested items, in the order in which to renew them. If they include all items left,
    ///     their order replaces this job's.
    ///   - id: The id of the continuing job if it differs from this one.
    ///   - takesFinished: Whether this job may be returned if no requested item is left to request.
    ///   - isDone: Whether an item with this result is finished. All other items are requested again.
    func resumed(
        for requestedContents: [String], isAlways: Bool, id: @autoclosure () -> String, takesFinished: Bool = false,
        isDone: (RenewalResult) -> Bool
    ) -> RenewalJob? {
        var rest = self
        rest.results = results.filter(isDone)
        let isFinished = takesFinished && Set(requestedContents).isSubset(of: rest.results.map(\.content))
        guard !requestedContents.isEmpty, isFinished || rest.covers(requestedContents, isAlways: isAlways) else {
            return nil
        }
        let order = Set(requestedContents).isSuperset(of: rest.left) ? requestedContents : contents
        if order == contents, rest.results.count == results.count { return self }
        var job = RenewalJob(id: id(), isAlways: self.isAlways, contents: order, startedAt: startedAt)
        let ordered = Set(order)
        job.results = rest.results.filter { ordered.contains($0.content) }
        return job
    }
}
