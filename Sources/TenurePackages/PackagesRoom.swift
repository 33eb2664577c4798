import TenureMarketplace
package import TenureServerKit
import TenureThreads

extension Room {
    /// The packages of a marketplace's apps: their files, for devices.
    package static let packages: Room = {
        var room = Room("packages")
        room.open = { context throws(ServerError) in try OpenRoom(packages: context) }
        return room
    }()
}

extension OpenRoom {
    fileprivate init(packages context: ServerContext) throws(ServerError) {
        self.init()
        guard let place = context.packages else { return }
        let lane: Lane<Void>
        do throws(ThreadError) {
            lane = try Lane(threads: 2, limit: 1024) {}
        } catch {
            throw ServerError(.init("no_threads"), error.description, cause: error.cause)
        }
        let dialect = PackageDialect(
            fetch: FetchPackages(store: context.store, pool: context.compute, clock: context.clock),
            shelf: PackageShelf(place.path), accel: place.accel, lane: lane)
        endpoints = dialect.endpoints
        services = [TidyPackages(shelf: PackageShelf(place.path), lane: lane, clock: context.clock)]
    }
}
