package import TenureCore

/// How far a provider's list of events has been read.
///
/// A *walk* reads the list from the newest event to the oldest one that is wanted, page by page. Stripe and Paddle can both
/// list that way, and a walk that was interrupted continues where it stopped. New events don't move the following pages.
package struct CatchUp: Sendable, Hashable {
    /// A time before which all events are stored.
    package var readUntil: Timestamp

    /// Since when an operator wants all events to be read again; `nil` if there's no such request.
    package var since: Timestamp?

    /// The walk that has begun; `nil` between two walks.
    package var walk: Walk?

    /// The days whose events the provider doesn't list any more; `nil` if none were missed.
    package var gap: Gap?

    package init(readUntil: Timestamp, since: Timestamp? = nil, walk: Walk? = nil, gap: Gap? = nil) {
        self.readUntil = readUntil
        self.since = since
        self.walk = walk
        self.gap = gap
    }

    /// A walk through the list.
    package struct Walk: Sendable, Hashable {
        /// The oldest events that are read happened at this time.
        package var from: Timestamp
        /// When the walk began. Later events are left to the next one.
        package var startedAt: Timestamp
        /// The last event of the previous page; `nil` for the first page.
        package var after: ProviderID?
        /// How many events a page has.
        package var pageSize: Int
        /// How many pages have been read.
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

    /// A time from which events are missing.
    package struct Gap: Sendable, Hashable {
        package var from: Timestamp
        package var until: Timestamp

        package init(from: Timestamp, until: Timestamp) {
            self.from = from
            self.until = until
        }
    }

    /// A page of the list.
    package struct Page: Sendable, Hashable {
        /// When the newest event of the page happened; `nil` for an empty page.
        ///
        /// A single event that is older than its neighbours must not end a walk, so the walk ends with a whole page of them.
        package let newest: Timestamp?
        /// The event after which the next page begins; `nil` if this is the last page.
        package let next: ProviderID?

        package init(newest: Timestamp?, next: ProviderID?) {
            self.newest = newest
            self.next = next
        }
    }

    /// How long before the last walk the next one begins, in seconds: an hour, because a list may get its newest events late.
    package static let overlapSeconds: Int64 = 3_600
    /// The most events of a page.
    package static let mostEvents = 50
    private static let pagesAtOnce = 20
    /// How long a walk may be interrupted, in seconds: a day. Afterwards, the provider may have removed its position.
    private static let longestWalkSeconds: Int64 = 86_400

    /// Returns the state in which a page can be read: with a walk.
    ///
    /// - Parameter days: How many days the provider lists.
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

    /// Returns the state once the events of a page are stored.
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

    /// When the next page may be read: a minute later after every twenty pages, so that a list without an end, or a long
    /// one, doesn't occupy the server or exhaust the provider's limits.
    package func nextPageTime(at now: Timestamp) -> Timestamp {
        guard let walk, walk.pages > 0, walk.pages.isMultiple(of: Self.pagesAtOnce) else { return now }
        return now.adding(seconds: 60)
    }

    /// Returns the state after a page that was too long; `nil` if it had a single event.
    package func withShorterPages() -> CatchUp? {
        guard let walk, walk.pageSize > 1 else { return nil }
        var next = self
        next.walk?.pageSize = walk.pageSize / 2
        return next
    }

    /// Returns the state in which the next walk also reads what happened since a time. The operator has seen the gap.
    package func requested(since time: Timestamp) -> CatchUp {
        var next = self
        next.since = min(time, since ?? time)
        next.gap = nil
        return next
    }
}
