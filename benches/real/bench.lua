-- What Lua programs are made of, each part printing what it has computed.

local function part(name, f)
    print(name, f())
end

part("closures", function()
    local function compose(f, g) return function(x) return f(g(x)) end end
    local f = function(x) return x + 1 end
    for _ = 1, 6 do f = compose(f, f) end
    local sum = 0
    for i = 1, 2000 do sum = sum + f(i) end
    return sum
end)

part("objects", function()
    local Account = {}
    Account.__index = Account
    function Account.new(n) return setmetatable({ balance = n }, Account) end
    function Account:add(n) self.balance = (self.balance * 3 + n) % 65521 end
    local all, sum = {}, 0
    for i = 1, 500 do all[i] = Account.new(i) end
    for round = 1, 100 do
        for i = 1, #all do all[i]:add(round) end
    end
    for i = 1, #all do sum = sum + all[i].balance end
    return sum
end)

part("strings", function()
    local words, counts = {}, {}
    for i = 1, 6000 do words[i] = string.format("w%03d", i * i % 613) end
    local text = table.concat(words, " ")
    for word in text:gmatch("%a%d+") do counts[word] = (counts[word] or 0) + 1 end
    local names = {}
    for name in pairs(counts) do names[#names + 1] = name end
    table.sort(names, function(a, b)
        if counts[a] ~= counts[b] then return counts[a] > counts[b] end
        return a < b
    end)
    local replaced, times = text:gsub("w(%d)", "<%1>")
    return #names, names[1], counts[names[1]], #replaced, times
end)

part("coroutines", function()
    local function numbers(n)
        return coroutine.wrap(function() for i = 2, n do coroutine.yield(i) end end)
    end
    local function without(source, divisor)
        return coroutine.wrap(function()
            for n in source do if n % divisor ~= 0 then coroutine.yield(n) end end
        end)
    end
    local source, last, count = numbers(300), 0, 0
    while true do
        local n = source()
        if not n then break end
        last, count = n, count + 1
        source = without(source, n)
    end
    return count, last
end)

part("numbers", function()
    local n, a = 40, {}
    for i = 1, n do
        a[i] = {}
        for j = 1, n do a[i][j] = 1 / (i + j - 1) end
    end
    for k = 1, n do
        for i = k + 1, n do
            local factor = a[i][k] / a[k][k]
            for j = k, n do a[i][j] = a[i][j] - factor * a[k][j] end
        end
    end
    return string.format("%.9g", a[7][7])
end)
