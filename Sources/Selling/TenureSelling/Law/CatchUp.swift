package import TenureCore

/// How far a provider's list of events has been read.
///
/// A *walk* reads the list page by page, from the newest event back to ``Walk/from``. Stripe and Paddle both list
/// events in this order. An interrupted walk continues where it stopped, and new events don't move its next pages.
package struct CatchUp: Sendable, Hashable {
    /// The time before which all events are stored.
    package var readUntil: Timestamp

    /// The time from which an operator wants all events to be read again; `nil` if there's no such request.
    package var since: Timestamp?

    /// The walk in progress; `nil` between two walks.
    package var walk: Walk?

    /// The period whose events the provider no longer lists; `nil` if no events were missed.
    package var gap: Gap?

    package init(readUntil: Timestamp, since: Timestamp? = nil, walk: Walk? = nil, gap: Gap? = nil) {
        self.readUntil = readUntil
        self.since = since
        self.walk = walk
        self.gap = gap
    }

    package struct Walk: Sendable, Hashable {
        /// The time of the oldest events to read.
        package var from: Timestamp
        /// When the walk began. When it ends, all events before this time are stored.
        package var startedAt: Timestamp
        /// The last event of the previous page; `nil` for the first page.
        package var after: ProviderID?
        package var pageSize: Int
        /// The number of pages read so far.
        package var pages: Int

        package init(
            from: Timestamp, startedAt: Timestamp, after: ProviderID? = nil, pageSize: Int = CatchUp.mostEvents,
            pages: Int = 0
        ) {
            self.from = from
            self.startedAt = startedAt
            self.after = after
            self.pageSize = pageSize
            self.pages = pages
        }
    }

    /// A period whose events are missing.
    package struct Gap: Sendable, Hashable {
        package var from: Timestamp
        package var until: Timestamp

        package init(from: Timestamp, until: Timestamp) {
            self.from = from
            self.until = until
        }
    }

    package struct Page: Sendable, Hashable {
        /// When the newest event of the page happened; `nil` for an empty page.
        ///
        /// A walk ends with a page whose events all happened before ``Walk/from``. A single old event among newer ones
        /// doesn't end it.
        package let newest: Timestamp?
        /// The event after which the next page begins; `nil` if this is the last page.
        package let next: ProviderID?

        package init(newest: Timestamp?, next: ProviderID?) {
            self.newest = newest
            self.next = next
        }
    }

    /// How far a walk reads back beyond the start of the previous one, in seconds: an hour. A list may get its newest
    /// events late.
    package static let overlapSeconds: Int64 = 3_600
    /// The maximum number of events per page.
    package static let mostEvents = 50
    private static let pagesAtOnce = 20
    /// How long a walk may be interrupted, in seconds: a day. Afterwards, a new walk begins, because the provider may
    /// no longer accept ``Walk/after``.
    private static let longestWalkSeconds: Int64 = 86_400

    /// Returns the progress with a walk. A new walk begins if none is in progress, or if the current one began over a
    /// day ago.
    ///
    /// - Parameter days: For how many days the provider lists events.
    package func begun(days: Int, at now: Timestamp) -> CatchUp {
        if let walk, now < walk.startedAt.adding(seconds: Self.longestWalkSeconds) { return self }
        var next = self
        let missed = [readUntil, walk?.from].compactMap(\.self).min() ?? readUntil
        let oldest = now.adding(days: -days)
        if missed < oldest {
            next.gap = Gap(from: min(missed, gap?.from ?? missed), until: max(oldest, gap?.until ?? oldest))
        }
        let from = [readUntil.adding(seconds: -Self.overlapSeconds), walk?.from, since].compactMap(\.self).min()
        next.walk = Walk(from: max(from ?? oldest, oldest), startedAt: now)
        next.since = nil
        return next
    }

    /// Returns the progress after the events of a page were stored.
    package func read(_ page: Page) -> CatchUp {
        var next = self
        guard let walk else { return self }
        if let after = page.next, let newest = page.newest, newest >= walk.from {
            next.walk?.after = after
            next.walk?.pages += 1
        } else {
            next.walk = nil
            next.readUntil = max(readUntil, walk.startedAt)
        }
        return next
    }

    /// When the next page may be read: at once, except after every twenty pages, when a pause of a minute follows.
    /// Without the pauses, a very long list would occupy the server or exhaust the provider's limits.
    package func nextPageTime(at now: Timestamp) -> Timestamp {
        guard let walk, walk.pages > 0, walk.pages.isMultiple(of: Self.pagesAtOnce) else { return now }
        return now.adding(seconds: 60)
    }

    /// Returns the progress with pages of half the size, because a page was too large; `nil` if the pages already have
    /// a single event.
    package func withShorterPages() -> CatchUp? {
        guard let walk, walk.pageSize > 1 else { return nil }
        var next = self
        next.walk?.pageSize = walk.pageSize / 2
        return next
    }

    /// Returns the progress with a request to read the events since a time again. This removes the gap, because the
    /// operator has seen it.
    package func requested(since time: Timestamp) -> CatchUp {
        var next = self
        next.since = min(time, since ?? time)
        next.gap = nil
        return next
    }
}
